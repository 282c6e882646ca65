/** `--judge`: a model that judges semantic indicators, once it has shown what it makes of their examples. */
import type { ResultAttack, ResultTarget } from '@joust/arena'
import type { Agreement, ModelJudge } from '@joust/arena/judge'
import type { LanguageModel } from '@joust/runtime'
import { err, ok, printable, type Result } from '@joust/source'
import type { Io } from '../terminal/io.ts'
import type { SelectedAttack } from './attacks.ts'
import type { Budget } from './budget.ts'
import type { Cassettes } from './cassette.ts'

/** A judge at work. */
export interface OpenJudge extends ModelJudge {
  /** By file. */
  readonly agreement: ReadonlyMap<string, readonly Agreement[]>
  close(): void
}

/** A judge that can begin. */
export interface JudgePlan {
  /** Classifies all examples and tells how that went. */
  begin(watch: { readonly signal: AbortSignal; readonly budget: Budget; readonly quiet: boolean }): Promise<OpenJudge>
}

/** Finds the model; undefined when there is nothing to judge. */
export async function planJudge(
  model: string | undefined,
  attacks: readonly SelectedAttack[],
  cassettes: Cassettes | undefined,
  io: Io,
): Promise<Result<JudgePlan | undefined, string>> {
  if (model === undefined) return ok(undefined)
  const asked = attacks.filter(({ document }) => document.attack.indicators?.some(({ semantic }) => semantic))
  // A replay has no model to look for when nothing was asked.
  if (asked.length === 0 && cassettes?.mode === 'replay') return ok(undefined)
  const found = await findModel(model, asked.length > 0 ? cassettes : undefined, io)
  if (!found.ok) return err(`--judge ${model}: ${found.error}`)
  if (asked.length === 0) return ok(undefined)
  return ok({ begin: (watch) => beginJudge(model, found.value, asked, watch, io) })
}

interface FoundModel {
  readonly bound: LanguageModel
  close(): void
}

async function findModel(model: string, cassettes: Cassettes | undefined, io: Io): Promise<Result<FoundModel, string>> {
  if (cassettes === undefined) {
    const { resolveModel } = await import('@joust/runtime')
    const found = await resolveModel(model, io.env)
    return found.ok ? ok({ bound: found.value, close() {} }) : err(found.error.message)
  }
  const { recordedModel } = await import('@joust/arena/cassette')
  try {
    const cassette = cassettes.judge()
    const found = await recordedModel(model, cassette, io.env)
    return found.ok ? ok({ bound: found.value, close: cassette.close }) : err(found.error.message)
  } catch (thrown) {
    // The folder cannot be written, or holds no calls of a judge.
    return err(thrown instanceof Error ? thrown.message : String(thrown))
  }
}

async function beginJudge(
  model: string,
  { bound, close }: FoundModel,
  attacks: readonly SelectedAttack[],
  { signal, budget, quiet }: Parameters<JudgePlan['begin']>[0],
  io: Io,
): Promise<OpenJudge> {
  const { agreementWith, modelJudge } = await import('@joust/arena/judge')
  const made = await modelJudge({ model, env: io.env, bound, signal, onCall: budget.spend })
  // A model that is given is not looked for.
  if (!made.ok) throw new Error(made.error.message)
  const { evaluator, about } = made.value
  if (!quiet) io.stderr.write(`joust: judge: ${printable(about.model)} (${about.engine}, ${about.version})\n`)
  const agreement = new Map<string, readonly Agreement[]>()
  for (const { file, document } of attacks) {
    const agreements = await agreementWith(document, evaluator)
    agreement.set(file, agreements)
    if (!quiet) for (const one of agreements) io.stderr.write(agreementLines(file, one))
  }
  return { evaluator, about, agreement, close }
}

function agreementLines(file: string, { indicator, right, of, faults }: Agreement): string {
  const head = `joust: judge: ${printable(file)}: ${printable(indicator)}: ${right} of ${of} examples as the document has them\n`
  return faults.reduce((text, fault) => `${text}joust: judge:   ${printable(fault)}\n`, head)
}

/** What results say of the target when something judged. */
export function judgedBy(about: ResultTarget, judge: OpenJudge | undefined): ResultTarget {
  return judge === undefined ? about : { ...about, judge: judge.about }
}

/** What results say of an attack: the agreement beside each indicator that has one. */
export function withAgreement(attack: ResultAttack, agreements: readonly Agreement[] = []): ResultAttack {
  const figures = new Map(agreements.map(({ indicator, right, of }) => [indicator, { right, of }]))
  const indicators = attack.indicators.map((indicator) => {
    const agreement = figures.get(indicator.id)
    return agreement === undefined ? indicator : { ...indicator, agreement }
  })
  return { ...attack, indicators }
}
