/** `toResist`: runs an attack against a target as a small suite, and fails unless the target resisted. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createProver } from '@joust/adaptive/prover'
import { ArenaError, type AttackOptions, type Target } from '@joust/arena'
import { type LibraryName, library, libraryAttack, libraryProofs } from '@joust/library'
import { type LoadedAttack, load } from '@joust/oatf'
import { evidenceLines, headline } from '@joust/report'
import type { AttackResults, Results } from '@joust/results'
import { simulationVersion } from '@joust/sim'
import { describeValue, InvalidInput, isRecord, suggest, unwrap } from '@joust/source'
import { finishSuite, openSuiteFolder, runSuite, type SuiteAttack, type SuiteOptions } from '@joust/trials'

/** An attack: loaded, the text of a document, or the name of a library attack. */
export type AttackInput = LoadedAttack | LibraryName | (string & {})

/**
 * Options for `toResist`.
 *
 * @example
 * expect.extend({ toResist })
 * await expect(target).toResist('time-bomb', { trials: 3, placebo: true, budget: { tokens: 50_000 } })
 */
export interface ResistOptions extends Pick<SuiteOptions, 'trials' | 'retries' | 'budget' | 'evaluators' | 'signal'> {
  /**
   * Also runs a successful attack without its bait. If that run succeeds too, the outcome is inconclusive.
   *
   * @default false
   */
  readonly placebo?: boolean
  /**
   * Limits of each run.
   *
   * @default `defaultRunLimits` of `@joust/arena`
   * @example { graceMs: 0 }
   */
  readonly limits?: AttackOptions['limits']
  /** Skips the preflight of the target; the text is the reason. @default the preflight runs */
  readonly skipPreflight?: string
}

/** A matcher result, as expected by `expect.extend` in Vitest and Jest. */
export interface MatcherResult {
  readonly pass: boolean
  readonly message: () => string
}

/**
 * Passes if the target resists the attack. Inconclusive and inapplicable attacks fail, even with `.not`. The traces of
 * a failure are kept in a temporary folder, whose path the message contains.
 *
 * @example
 * expect.extend({ toResist })
 * await expect(functionTarget({ name: 'clerk', call })).toResist('time-bomb', { trials: 3 })
 */
export async function toResist(
  this: { readonly isNot?: boolean } | undefined,
  target: Target,
  attack: AttackInput,
  options: ResistOptions = {},
): Promise<MatcherResult> {
  requireTarget(target)
  const { limits, placebo = false, ...suite } = options
  const attacks = [attackOf(attack)]
  const folder = await mkdtemp(join(tmpdir(), 'joust-'))
  const proofs = await createProver({ library: libraryProofs(simulationVersion) }).prove(attacks)
  const results = await finishSuite(
    runSuite(attacks, {
      ...suite,
      arms: placebo ? 'placebo' : 'none',
      folder: unwrap(await openSuiteFolder(folder, { files: attacks.map(({ file }) => file) })),
      run: (run) => ({ target, ...(limits && { limits }), known: proofs.get(run.attack.fingerprint) ?? {} }),
    }),
  )
  const outcome = results.targets[0]?.attacks[0]?.outcome
  const pass = outcome === 'resisted'
  if (pass && this?.isNot !== true) await rm(folder, { recursive: true, force: true })
  if (!pass && this?.isNot === true && outcome !== 'exploited' && outcome !== 'partial') {
    throw new ArenaError('target_failed', messageOf(target, results, folder))
  }
  return { pass, message: () => messageOf(target, results, folder) }
}

/** Throws for anything other than a target, because untyped callers often pass the agent itself. */
function requireTarget(target: unknown): asserts target is Target {
  if (typeof target === 'object' && target !== null && 'start' in target && typeof target.start === 'function') return
  const hint = typeof target === 'function' ? '; wrap it: functionTarget({ name, call })' : ''
  throw new InvalidInput(`toResist expects a target, not ${described(target)}${hint}`)
}

function described(value: unknown): string {
  if (value === undefined) return 'undefined'
  return typeof value === 'function' ? 'a function' : describeValue(value)
}

function attackOf(input: AttackInput): SuiteAttack {
  if (typeof input !== 'string') {
    const loaded: unknown = input
    if (!isRecord(loaded) || !isRecord(loaded.document)) {
      const expected = 'an attack from load(), the text of a document or the name of a library attack'
      throw new InvalidInput(`toResist expects ${expected}, not ${described(input)}`)
    }
    return { file: input.document.attack.id ?? input.document.attack.name, attack: input }
  }
  const entry = library.find(({ name }) => name === input)
  if (entry !== undefined) return { file: entry.file, attack: libraryAttack(entry.name) }
  if (/^[\w-]*$/.test(input)) {
    const name = suggest(
      input,
      library.map((one) => one.name),
    )
    const hint = name === undefined ? '' : `. Did you mean ${JSON.stringify(name)}?`
    throw new InvalidInput(`the library has no attack ${JSON.stringify(input)}${hint}`)
  }
  const attack = unwrap(load(input), input)
  return { file: attack.document.attack.id ?? attack.document.attack.name, attack }
}

function messageOf(target: Target, results: Results, folder: string): string {
  const [of] = results.targets
  const [attack] = of?.attacks ?? []
  if (of === undefined || attack === undefined) return `${target.name}: the attack was not run`
  const stopped = results.stopped === undefined ? [] : [results.stopped.message]
  const preflight =
    of.preflight?.status === 'failed' ? of.preflight.reasons.map((reason) => `preflight: ${reason}`) : []
  const lines = [
    ...stopped,
    ...preflight,
    headline(attack),
    ...evidenceLines(attack, of.kind),
    ...tracesOf(attack, folder),
  ]
  return [headOf(target, attack), ...new Set(lines)].join('\n  ')
}

function headOf({ name }: Target, { attack, outcome }: AttackResults): string {
  const title = attack.id === undefined ? attack.name : `${attack.id} ${attack.name}`
  return outcome === 'resisted' ? `${name} resisted ${title}` : `expected ${name} to resist ${title}`
}

function tracesOf({ trials }: AttackResults, folder: string): string[] {
  return trials.flatMap(({ trace }) => (trace === undefined ? [] : [`trace: ${join(folder, trace)}`]))
}
