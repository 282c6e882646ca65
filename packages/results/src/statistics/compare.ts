/** Compares the results of two runs of the same suite on the same targets. */
import { err, ok, type Result } from '@joust/source'
import type { Results, ResultTarget, TargetResults } from '../model/results.ts'
import {
  type AttackComparison,
  type ChangeStatus,
  changeStatuses,
  compareAttack,
  matchAttacks,
} from './compare-attack.ts'

/**
 * Options for {@link compareResults}.
 *
 * @example
 * const comparison = compareResults(before, after, { alpha: 0.01 })
 */
export interface CompareOptions {
  /** Allows comparing different targets and suites. @default false */
  readonly force?: boolean
  /** Significance level of the tests. @default 0.05 */
  readonly alpha?: number
}

export interface Comparison {
  /** Differences between targets and suites. Empty unless the comparison was forced. */
  readonly unlike: readonly string[]
  /** Changes to the model behind a target, which do not prevent a comparison. */
  readonly models: readonly string[]
  readonly attacks: readonly AttackComparison[]
  readonly counts: { readonly [status in ChangeStatus]: number }
  /** Attacks that fail a regression gate. */
  readonly regressions: readonly AttackComparison[]
}

const ALPHA = 0.05

/**
 * Compares results by target and attack. The error lists the differences that prevent a comparison.
 *
 * @example
 * const compared = compareResults(before, after)
 * if (compared.ok) console.log(compared.value.counts.worse)
 */
export function compareResults(
  before: Results,
  after: Results,
  { force = false, alpha = ALPHA }: CompareOptions = {},
): Result<Comparison, string[]> {
  const pairs = matchTargets(before.targets, after.targets)
  const sameSuite = before.suite.fingerprint === after.suite.fingerprint
  const unequal = pairs.flatMap((pair) => differences(pair, pairs.length > 1))
  const messagesOf = (ofModel: boolean) =>
    unequal.filter((one) => one.ofModel === ofModel).map(({ message }) => message)
  const unlike = [...messagesOf(false), ...(sameSuite ? [] : ['the suites contain different attacks'])]
  if (unlike.length > 0 && !force) return err(unlike)
  const attacks = pairs.flatMap(([old, now]) => {
    const target = (now ?? old)?.name ?? ''
    const matched = matchAttacks(old?.attacks ?? [], now?.attacks ?? [])
    return matched.map(([one, other]) => compareAttack(one, other, { target, alpha }))
  })
  return ok({
    unlike,
    models: messagesOf(true),
    attacks,
    counts: countOf(attacks),
    regressions: attacks.filter((attack) => isRegression(attack, sameSuite)),
  })
}

/**
 * True if an attack succeeds for the first time or more often, or if the user's task is completed less often, because
 * refusing everything fixes nothing. Also true for attacks that are no longer conclusive, applicable or run, and for
 * added attacks that succeed.
 */
function isRegression({ status, before, after, utility }: AttackComparison, sameSuite: boolean): boolean {
  if (status === 'new' || status === 'worse' || status === 'untested' || utility?.status === 'worse') return true
  if (status === 'undecided') return (before?.judged ?? 0) > 0
  if (status === 'missing') return sameSuite
  return status === 'added' && (after?.fell ?? 0) > 0
}

function countOf(attacks: readonly AttackComparison[]): Comparison['counts'] {
  const none = changeStatuses.map((status) => [status, 0] as const)
  // `none` has an entry for each status.
  const counts = Object.fromEntries(none) as { [status in ChangeStatus]: number }
  for (const { status } of attacks) counts[status] += 1
  return counts
}

interface Difference {
  readonly message: string
  /** True if the model of the same target has changed. */
  readonly ofModel: boolean
}

function differences([old, target]: TargetPair, several: boolean): Difference[] {
  if (old === undefined || target === undefined) {
    const name = shown((old ?? target)?.name)
    return [{ message: old === undefined ? `target ${name} is new` : `target ${name} is missing`, ofModel: false }]
  }
  const messages: Difference[] = []
  const of = several ? `${target.name}: ` : ''
  const differ = (what: string, one: string | undefined, other: string | undefined, ofModel = false) => {
    if (one !== other) messages.push({ message: `${of}${what} changed from ${shown(one)} to ${shown(other)}`, ofModel })
  }
  differ('target kind', old.kind, target.kind)
  // A target that is only a model has the name of the model.
  const isBare = !several && old.kind === 'model' && target.kind === 'model'
  differ(isBare ? 'model' : 'target', old.name, target.name, isBare)
  for (const key of keysOf(old, target))
    differ(key === 'model' ? key : `target ${key}`, detailOf(old, key), detailOf(target, key), key === 'model')
  differ('judge', judgeOf(old), judgeOf(target))
  return messages
}

function keysOf(old: ResultTarget, target: ResultTarget): string[] {
  return [...new Set([...Object.keys(old.details ?? {}), ...Object.keys(target.details ?? {})])].sort()
}

function detailOf({ details = {} }: ResultTarget, key: string): string | undefined {
  return Object.hasOwn(details, key) ? details[key] : undefined
}

function judgeOf({ judge }: ResultTarget): string | undefined {
  return judge === undefined ? undefined : [judge.engine, judge.model, judge.version ?? ''].join(' ').trimEnd()
}

function shown(value: string | undefined): string {
  return value === undefined ? 'none' : JSON.stringify(value)
}

/** The results on both sides. Undefined if a target is missing from a side. */
type TargetPair = readonly [TargetResults | undefined, TargetResults | undefined]

/** Pairs targets by kind and name. If one target remains on each side, these two are also paired. */
function matchTargets(left: readonly TargetResults[], right: readonly TargetResults[]): TargetPair[] {
  const open = [...right]
  const pairs = left.map((target): TargetPair => {
    const index = open.findIndex(({ kind, name }) => kind === target.kind && name === target.name)
    return [target, index < 0 ? undefined : open.splice(index, 1)[0]]
  })
  const alone = pairs.filter(([, match]) => match === undefined)
  if (alone.length !== 1 || open.length !== 1)
    return [...pairs, ...open.map((target): TargetPair => [undefined, target])]
  return pairs.map(([target, match]): TargetPair => [target, match ?? open[0]])
}
