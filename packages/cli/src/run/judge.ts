/** `--judge`: a model that judges semantic indicators, after classifying the examples in these indicators. */

import { type AvailableEvaluators, skippedIndicators } from '@joust/arena'
import type { Agreement } from '@joust/arena/judge'
import { ok, type Result } from '@joust/source'
import { type Agreements, isSemantic, type SuiteAttack, type SuiteJudge, type SuiteOptions } from '@joust/trials'
import type { RunOptions } from '../options/run.ts'
import { type FoundModel, openModel } from '../target/models.ts'
import type { Recordings } from '../target/recordings.ts'
import { type Io, tell } from '../terminal/io.ts'

type OpenJudge = NonNullable<SuiteOptions['judge']>

/** Finds the judge model; undefined if no indicator needs a judge. */
export async function planJudge(
  { judge: model, quiet }: Pick<RunOptions, 'judge' | 'quiet'>,
  attacks: readonly SuiteAttack[],
  recordings: Recordings | undefined,
  isAsked: boolean,
  io: Io,
): Promise<Result<OpenJudge | undefined, string>> {
  if (model === undefined) return ok(undefined)
  const semantic = attacks.filter(isSemantic)
  // A replay without semantic indicators has no recorded judge.
  if (semantic.length === 0 && recordings?.mode === 'replay') return ok(undefined)
  const isNeeded = semantic.length > 0
  const opened = await openModel('--judge', model, isNeeded ? recordings?.judge : undefined, isAsked && isNeeded, io)
  if (!opened.ok) return opened
  if (!isNeeded) return ok(undefined)
  return ok((suite) => beginJudge(model, opened.value, semantic, suite, quiet, io))
}

async function beginJudge(
  model: string,
  { bound, close }: FoundModel,
  attacks: readonly SuiteAttack[],
  { signal, spend }: Parameters<OpenJudge>[0],
  quiet: boolean,
  io: Io,
): Promise<SuiteJudge> {
  const { evaluator, about } = await judgeOn(model, bound, { signal, spend }, io)
  if (!quiet) tell(io, `judge: ${about.model} (${about.engine}, ${about.version})`)
  return { evaluator, about, agreements: await agreementsOf(attacks, evaluator, quiet, io), close }
}

export async function judgeOn(
  model: string,
  bound: FoundModel['bound'],
  { signal, spend }: Parameters<OpenJudge>[0],
  io: Io,
): Promise<Pick<SuiteJudge, 'evaluator' | 'about'>> {
  const { modelJudge } = await import('@joust/arena/judge')
  const judge = await modelJudge({ model, env: io.env, bound, signal, onCall: spend })
  // A bound model needs no resolution, so this cannot fail.
  if (!judge.ok) throw new Error(judge.error.message)
  return judge.value
}

/** Lets a judge classify the examples in the documents, and prints the number of correct classifications. */
export async function agreementsOf(
  attacks: readonly SuiteAttack[],
  evaluator: SuiteJudge['evaluator'],
  quiet: boolean,
  io: Io,
): Promise<Agreements> {
  const { agreementWith } = await import('@joust/arena/judge')
  const agreements = new Map<string, readonly Agreement[]>()
  for (const { file, attack } of attacks) {
    const agreement = await agreementWith(attack, evaluator)
    agreements.set(file, agreement)
    if (!quiet) for (const line of agreement.flatMap((one) => agreementLines(file, one))) tell(io, line)
  }
  return agreements
}

function agreementLines(file: string, { indicator, right, of, faults }: Agreement): string[] {
  const head = `judge: ${file}: ${indicator}: ${right} of ${of} examples classified as in the document`
  return [head, ...faults.map((fault) => `judge:   ${fault}`)]
}

/** Prints the indicators that no evaluator can judge; returns true if some attack has only such indicators. */
export function tellSkipped(attacks: readonly SuiteAttack[], evaluators: AvailableEvaluators, io: Io): boolean {
  let isAll = false
  for (const { file, attack } of attacks) {
    const skipped = skippedIndicators(attack, evaluators)
    for (const { message } of skipped) tell(io, `${file}: ${message}`)
    isAll ||= skipped.length === (attack.document.attack.indicators ?? []).length
  }
  return isAll
}
