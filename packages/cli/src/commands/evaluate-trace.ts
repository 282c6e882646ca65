/** `joust evaluate ATTACK… --trace FILE`: verdicts from recorded traffic, in one pass and constant memory. */
import { resolve } from 'node:path'
import { createJudge, type Judge, type Judgement, readTrace } from '@joust/arena'
import { createCelEvaluator } from '@joust/oatf'
import { printable } from '@joust/source'
import { STDIN } from '../input/read.ts'
import { coloursFor } from '../render/colours.ts'
import { jsonText } from '../render/json.ts'
import { renderVerdict } from '../render/verdict.ts'
import { type SelectedAttack, selectAttacks } from '../run/attacks.ts'
import { worstCode } from '../run/exit-code.ts'
import { exitCodes, verdictCode } from '../terminal/exit-codes.ts'
import { exitCodeOf } from '../terminal/interruption.ts'
import type { Io } from '../terminal/io.ts'
import { wrongUsage } from '../terminal/wrong-usage.ts'

export interface EvaluateTraceOptions {
  readonly trace: string
  readonly json?: boolean
}

interface Judged {
  readonly attack: SelectedAttack
  readonly verdict: Judgement
}

/** Judges a trace by every attack that is named; the exit code is that of the worst verdict. */
export async function evaluateTrace(words: readonly string[], options: EvaluateTraceOptions, io: Io): Promise<number> {
  if (options.trace === STDIN && words.includes(STDIN)) {
    return wrongUsage(['only one of the attack and the trace can come from standard input'], io)
  }
  const selected = await selectAttacks(words, {}, io)
  if (!selected.ok) return selected.error
  const { attacks, broken } = selected.value
  return io.stoppable(async (signal) => {
    const judged = await judgeAll(attacks, options.trace, signal, io)
    print(judged, options.json === true, io)
    if (signal.aborted) return exitCodeOf(signal)
    return worstCode([
      ...judged.map(({ verdict }) => verdictCode(verdict)),
      ...broken.map(() => exitCodes.errorVerdict),
    ])
  })
}

async function judgeAll(
  attacks: readonly SelectedAttack[],
  word: string,
  signal: AbortSignal,
  io: Io,
): Promise<Judged[]> {
  const cel = createCelEvaluator()
  const judges = attacks.map(({ document }) => createJudge(document, { cel, signal }))
  const [only] = attacks
  const options = attacks.length === 1 && only !== undefined ? { document: only.document } : {}
  try {
    for await (const item of readTrace(word === STDIN ? STDIN : resolve(io.cwd, word), options)) {
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
      return { attack, verdict }
    }),
  )
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
    io.stdout.write(renderVerdict(attack.document.attack, verdict, colours))
    for (const { message } of verdict.diagnostics ?? []) io.stderr.write(`joust: ${printable(message)}\n`)
  }
}
