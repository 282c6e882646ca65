/** `--judge`: a model that judges semantic indicators, once it has classified their examples. */
import type { Agreements, SuiteAttack, SuiteJudge, SuiteOptions } from '@joust/arena'
import type { Agreement } from '@joust/arena/judge'
import { ok, type Result } from '@joust/source'
import type { RunOptions } from '../options/run.ts'
import type { Cassettes } from '../target/cassette.ts'
import { type FoundModel, openModel } from '../target/models.ts'
import { type Io, tell } from '../terminal/io.ts'

/** Opens a judge for a suite: classifies all examples and prints how that went. */
type OpenJudge = NonNullable<SuiteOptions['judge']>

/** Finds the model; undefined when there is nothing to judge. */
export async function planJudge(
  { judge: model, quiet }: Pick<RunOptions, 'judge' | 'quiet'>,
  attacks: readonly SuiteAttack[],
  cassettes: Cassettes | undefined,
  isAsked: boolean,
  io: Io,
): Promise<Result<OpenJudge | undefined, string>> {
  if (model === undefined) return ok(undefined)
  const asked = attacks.filter(({ attack }) => attack.document.attack.indicators?.some(({ semantic }) => semantic))
  // A replay has no model to look for when nothing was asked.
  if (asked.length === 0 && cassettes?.mode === 'replay') return ok(undefined)
  const isNeeded = asked.length > 0
  const found = await openModel('--judge', model, isNeeded ? cassettes?.judge : undefined, isAsked && isNeeded, io)
  if (!found.ok) return found
  if (!isNeeded) return ok(undefined)
  return ok((suite) => beginJudge(model, found.value, asked, suite, quiet, io))
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

/** A judge that uses a model that was found. */
export async function judgeOn(
  model: string,
  bound: FoundModel['bound'],
  { signal, spend }: Parameters<OpenJudge>[0],
  io: Io,
): Promise<Pick<SuiteJudge, 'evaluator' | 'about'>> {
  const { modelJudge } = await import('@joust/arena/judge')
  const made = await modelJudge({ model, env: io.env, bound, signal, onCall: spend })
  // A model that is passed in is not looked up.
  if (!made.ok) throw new Error(made.error.message)
  return made.value
}

/** How a judge classifies the examples of documents; printed as it goes. */
export async function agreementsOf(
  attacks: readonly SuiteAttack[],
  evaluator: SuiteJudge['evaluator'],
  quiet: boolean,
  io: Io,
): Promise<Agreements> {
  const { agreementWith } = await import('@joust/arena/judge')
  const agreements = new Map<string, readonly Agreement[]>()
  for (const { file, attack } of attacks) {
    const found = await agreementWith(attack, evaluator)
    agreements.set(file, found)
    if (!quiet) for (const line of found.flatMap((one) => agreementLines(file, one))) tell(io, line)
  }
  return agreements
}

function agreementLines(file: string, { indicator, right, of, faults }: Agreement): string[] {
  const head = `judge: ${file}: ${indicator}: ${right} of ${of} examples as the document has them`
  return [head, ...faults.map((fault) => `judge:   ${fault}`)]
}
