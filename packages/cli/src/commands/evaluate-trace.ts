/** `joust evaluate ATTACK… --trace FILE`: verdicts from recorded traffic, in one pass and constant memory. */
import { resolve } from 'node:path'
import {
  createJudge,
  failClosed,
  type Judge,
  type Judgement,
  type JudgeOptions,
  readTrace,
  type SuiteAttack,
  skippedIndicators,
  verdictCode,
  worstCode,
} from '@joust/arena'
import { createCelEvaluator } from '@joust/oatf'
import { jsonText, printable } from '@joust/source'
import { STDIN } from '../input/read.ts'
import type { EvaluateOptions } from '../options/results.ts'
import { coloursFor } from '../render/colours.ts'
import { renderVerdict } from '../render/verdict.ts'
import { selectAttacks } from '../run/attacks.ts'
import { planJudge } from '../run/judge.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { exitCodeOf } from '../terminal/interruption.ts'
import type { Io } from '../terminal/io.ts'
import { wrongUsage } from '../terminal/wrong-usage.ts'

interface Judged {
  readonly attack: SuiteAttack
  readonly verdict: Judgement
}

/** Judges a trace by every attack that is named; the exit code is that of the worst verdict. */
export async function evaluateTrace(
  paths: readonly string[],
  options: EvaluateOptions & { readonly trace: string },
  io: Io,
): Promise<number> {
  if (options.trace === STDIN && paths.includes(STDIN)) {
    return wrongUsage(['only one of the attack and the trace can come from standard input'], io)
  }
  const selected = await selectAttacks(paths, {}, io)
  if (!selected.ok) return selected.error
  const { attacks, broken } = selected.value
  const judging = await planJudge(options.judge, attacks, undefined, false, io)
  if (!judging.ok) return wrongUsage([judging.error], io)
  return io.stoppable(async (signal) => {
    const model = await judging.value?.({ signal, spend() {} })
    const evaluators = { cel: createCelEvaluator(), signal, ...(model && { semantic: model.evaluator }) }
    tellSkipped(attacks, evaluators, io)
    const judged = await judgeAll(attacks, options.trace, evaluators, io)
    model?.close()
    print(judged, options.json, io)
    if (signal.aborted) return exitCodeOf(signal)
    return worstCode([
      ...judged.map(({ verdict }) => verdictCode(verdict)),
      ...broken.map(() => exitCodes.errorVerdict),
    ])
  })
}

async function judgeAll(
  attacks: readonly SuiteAttack[],
  trace: string,
  evaluators: JudgeOptions & { readonly signal: AbortSignal },
  io: Io,
): Promise<Judged[]> {
  const { signal } = evaluators
  const judges = attacks.map(({ attack }) => createJudge(attack, evaluators))
  const [only] = attacks
  const options = attacks.length === 1 && only !== undefined ? { document: only.attack.document } : {}
  try {
    for await (const item of readTrace(trace === STDIN ? STDIN : resolve(io.cwd, trace), options)) {
      for (const judge of judges) await judge.add(item)
      if (signal.aborted) break
    }
    if (signal.aborted) failAll(judges, 'interrupted')
  } catch (thrown) {
    failAll(judges, thrown instanceof Error ? thrown.message : String(thrown))
  }
  return Promise.all(
    attacks.map(async (attack, index) => {
      // There is a judge for each attack.
      const verdict = await (judges[index] as Judge).finish()
      const diagnostics = skippedIndicators(attack.attack, evaluators)
      return { attack, verdict: failClosed(verdict, { ended: 'done', actors: [], diagnostics }) }
    }),
  )
}

function tellSkipped(attacks: readonly SuiteAttack[], evaluators: JudgeOptions, io: Io): void {
  for (const { file, attack } of attacks) {
    for (const { message } of skippedIndicators(attack, evaluators))
      io.stderr.write(`joust: ${printable(`${file}: ${message}`)}\n`)
  }
}

function failAll(judges: readonly Judge[], message: string): void {
  for (const judge of judges) judge.fail({ severity: 'error', code: 'trace-failed', message })
}

function print(judged: readonly Judged[], json: boolean, io: Io): void {
  if (json) {
    const [only] = judged
    const plain = judged.map(({ attack, verdict }) => ({ file: attack.file, verdict }))
    io.stdout.write(jsonText(judged.length === 1 && only !== undefined ? only.verdict : plain))
    return
  }
  const colours = coloursFor(io, 'stdout')
  for (const { attack, verdict } of judged) {
    if (judged.length > 1) io.stdout.write(`${colours.bold(printable(attack.file))}\n`)
    io.stdout.write(renderVerdict(attack.attack.document.attack, verdict, colours))
    for (const { code, message } of verdict.diagnostics ?? []) {
      // Told before anything was read.
      if (code !== 'indicator-skipped') io.stderr.write(`joust: ${printable(message)}\n`)
    }
  }
}
