/** `joust evaluate ATTACK… --trace FILE`: evaluates recorded traffic in one pass and constant memory. */
import { closeSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Assessed, type Assessor, createAssessor, type JudgeOptions, recordedActors } from '@joust/arena'
import { openToRead } from '@joust/io'
import { type Canaries, createCelEvaluator, type LoadedAttack, withCanaries } from '@joust/oatf'
import {
  type ModelEntry,
  namingFile,
  outcomeCode,
  type ResultTarget,
  type TraceEnding,
  type TraceItem,
  worstCode,
} from '@joust/results'
import { readTrace } from '@joust/results/files'
import { err, jsonText, messageOf, ok, printable, type Result } from '@joust/source'
import type { SuiteAttack } from '@joust/trials'
import { inputFault, STDIN } from '../input/read.ts'
import type { EvaluateOptions } from '../options/results.ts'
import { renderVerdict } from '../render/verdict.ts'
import { selectAttacks } from '../run/attacks.ts'
import { planJudge, tellSkipped } from '../run/judge.ts'
import { coloursFor } from '../terminal/colours.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { exitCodeOf, type Io, tell, wrongUsage } from '../terminal/io.ts'
import { nameOf, noVerdict } from './evaluate.ts'

interface Judged {
  readonly attack: SuiteAttack
  readonly assessed: Assessed
}

export async function evaluateTrace(
  paths: readonly string[],
  options: EvaluateOptions & { readonly trace: string },
  io: Io,
): Promise<number> {
  if (options.trace === STDIN && paths.includes(STDIN)) {
    return wrongUsage(['the attack and the trace cannot both come from standard input'], io)
  }
  if (options.out !== undefined) return wrongUsage(['--out needs a folder of traces'], io)
  const fault = options.trace === STDIN ? undefined : unreadable(resolve(io.cwd, options.trace))
  if (fault !== undefined) return wrongUsage([`${options.trace}: ${fault}`], io)
  const selected = await selectAttacks(paths, { strict: options.strict }, io)
  if (!selected.ok) return selected.error
  const { attacks, broken } = selected.value
  const judging = await planJudge({ judge: options.judge, quiet: false }, attacks, undefined, true, io)
  if (!judging.ok) return wrongUsage([judging.error], io)
  return io.stoppable(async (signal) => {
    const model = await judging.value?.({ signal, spend() {} })
    const evaluators = { cel: createCelEvaluator(), signal, ...(model && { semantic: model.evaluator }) }
    tellSkipped(attacks, evaluators, io)
    const judged = await judgeAll(attacks, options.trace, evaluators, io)
    model?.close()
    if (!judged.ok) return noVerdict(`${nameOf(options.trace)}: ${judged.error}`, io)
    if (options.json) printJson(judged.value, model?.about, io)
    else print(judged.value, io)
    if (signal.aborted) return exitCodeOf(signal)
    return worstCode([
      ...judged.value.map(({ assessed }) => outcomeCode(assessed)),
      ...broken.map(() => exitCodes.inconclusive),
    ])
  })
}

function unreadable(path: string): string | undefined {
  try {
    closeSync(openToRead(path))
    return undefined
  } catch (thrown) {
    return inputFault(thrown).message
  }
}

/** Judges all attacks. If no message can be read, returns the reason once rather than for each indicator. */
export async function judgeAll(
  attacks: readonly SuiteAttack[],
  trace: string,
  evaluators: JudgeOptions & { readonly signal: AbortSignal },
  io: Io,
): Promise<Result<Judged[], string>> {
  const { signal } = evaluators
  const [only] = attacks
  let ending: TraceEnding | undefined
  let read = 0
  let fault: string | undefined
  let judges = attacks.map(({ attack }) => createAssessor(attack, evaluators))
  const options = {
    onCanaries: (canaries: Canaries) => {
      judges = attacks.map(({ attack }) => judgeOf(attack, canaries, evaluators))
    },
    ...(attacks.length === 1 && only !== undefined ? { document: only.attack.document } : {}),
    onModel: (entry: ModelEntry) => {
      for (const judge of judges) judge.observe(entry)
    },
    onEnding: (last: TraceEnding) => {
      ending = last
    },
  }
  try {
    for await (const items of readTrace(trace === STDIN ? STDIN : resolve(io.cwd, trace), options).batches()) {
      for (const item of items) {
        if (item.ok) read += 1
        else fault ??= item.error.message
        for (const [index, judge] of judges.entries()) {
          for (const played of asPlayed(item, attacks[index])) {
            const waiting = judge.add(played)
            if (waiting !== undefined) await waiting
          }
        }
        if (signal.aborted) break
      }
      if (signal.aborted) break
    }
    if (signal.aborted) failAll(judges, 'interrupted')
  } catch (thrown) {
    fault = messageOf(thrown)
    failAll(judges, fault)
  }
  if (read === 0 && fault !== undefined) return err(fault)
  const judged = attacks.map(async (attack, index) => {
    // Every attack has a judge.
    const assessed = await (judges[index] as Assessor).finish(ending)
    return { attack, assessed: { ...assessed, reasons: namingFile(assessed.reasons, attack.file) } }
  })
  return ok(await Promise.all(judged))
}

function asPlayed(item: TraceItem, attack: SuiteAttack | undefined): readonly TraceItem[] {
  if (!item.ok || attack === undefined) return [item]
  return recordedActors(attack.attack, item.value).map((actor) => ok({ ...item.value, actor }))
}

function judgeOf(attack: LoadedAttack, canaries: Canaries, evaluators: JudgeOptions): Assessor {
  const played = withCanaries(attack, canaries)
  const judge = createAssessor(played.ok ? played.value : attack, evaluators)
  if (!played.ok) failAll([judge], played.error)
  return judge
}

function failAll(judges: readonly Assessor[], message: string): void {
  for (const judge of judges) judge.fail({ severity: 'error', code: 'trace-failed', message })
}

/** Prints the verdicts with the name of the judge model ([OATF §11.4](https://oatf.io/specification/conformance/)). */
function printJson(judged: readonly Judged[], judge: ResultTarget['judge'], io: Io): void {
  const plain = judged.map(({ attack, assessed: { verdict, ...rest } }) => ({
    ...(judged.length === 1 ? {} : { file: attack.file }),
    ...verdict,
    ...rest,
    ...(judge && { judge }),
  }))
  io.stdout.write(jsonText(judged.length === 1 ? plain[0] : plain))
}

function print(judged: readonly Judged[], io: Io): void {
  const colours = coloursFor(io, 'stdout')
  for (const { attack, assessed } of judged) {
    const { verdict, reasons } = assessed
    if (judged.length > 1) io.stdout.write(`${colours.bold(printable(attack.file))}\n`)
    io.stdout.write(renderVerdict(attack.attack.document.attack, verdict, colours, assessed))
    for (const reason of reasons) tell(io, reason)
  }
}
