/** Two results of the same suite against the same targets: what has changed, and whether that is more than chance. */
import { err, ok, type Result } from '@joust/source'
import {
  type AttackComparison,
  type ChangeStatus,
  changeStatuses,
  compareAttack,
  matchAttacks,
} from './compare-attack.ts'
import type { Results, ResultTarget, TargetResults } from './model.ts'

/** How results are compared. */
export interface CompareOptions {
  /** Whether unlike targets and suites are compared, too. */
  readonly force?: boolean
  /** The probability below which a difference does not count as chance; default 0.05. */
  readonly alpha?: number
}

/** What has changed. */
export interface Comparison {
  /** How the results are unlike; empty unless the comparison was forced. */
  readonly unlike: readonly string[]
  readonly attacks: readonly AttackComparison[]
  readonly counts: { readonly [status in ChangeStatus]: number }
  /** What a gate fails on. */
  readonly regressions: readonly AttackComparison[]
}

const ALPHA = 0.05

/** Compares target by target, attack by attack. The error says why the two cannot be compared, one sentence each. */
export function compareResults(
  before: Results,
  after: Results,
  { force = false, alpha = ALPHA }: CompareOptions = {},
): Result<Comparison, string[]> {
  const pairs = matchTargets(before.targets, after.targets)
  const sameSuite = before.suite.fingerprint === after.suite.fingerprint
  const unlike = [
    ...pairs.flatMap((pair) => differences(pair, pairs.length > 1)),
    ...(sameSuite ? [] : ['the suites do not hold the same attacks']),
  ]
  if (unlike.length > 0 && !force) return err(unlike)
  const attacks = pairs.flatMap(([old, now]) => {
    const target = (now ?? old)?.name ?? ''
    const matched = matchAttacks(old?.attacks ?? [], now?.attacks ?? [])
    return matched.map(([one, other]) => compareAttack(one, other, { target, alpha }))
  })
  return ok({
    unlike,
    attacks,
    counts: countOf(attacks),
    regressions: attacks.filter((attack) => isRegression(attack, sameSuite)),
  })
}

/**
 * An attack that gets through where it did not, or more often, or under which the user's task is no longer done: an
 * agent that refuses everything has not fixed anything. What can no longer be told counts as well: an attack that is
 * inconclusive or not applicable now, or that the same suite no longer ran. There is nothing to compare a new attack with, but if it gets
 * through, being new does not excuse it.
 */
function isRegression({ status, before, after, utility }: AttackComparison, sameSuite: boolean): boolean {
  if (status === 'new' || status === 'worse' || utility?.status === 'worse') return true
  if (status === 'untested') return true
  if (status === 'undecided') return (before?.judged ?? 0) > 0
  if (status === 'missing') return sameSuite
  return status === 'added' && (after?.fell ?? 0) > 0
}

function countOf(attacks: readonly AttackComparison[]): Comparison['counts'] {
  const none = changeStatuses.map((status) => [status, 0] as const)
  // One entry for each status.
  const counts = Object.fromEntries(none) as { [status in ChangeStatus]: number }
  for (const { status } of attacks) counts[status] += 1
  return counts
}

/** Every difference between two targets. */
function differences([old, target]: TargetPair, several: boolean): string[] {
  if (old === undefined || target === undefined) {
    const name = shown((old ?? target)?.name)
    return [old === undefined ? `there was no target ${name}` : `there is no longer a target ${name}`]
  }
  const found: string[] = []
  const of = several ? `${target.name}: ` : ''
  const differ = (what: string, one: string | undefined, other: string | undefined) => {
    if (one !== other) found.push(`${of}the ${what} was ${shown(one)} and is ${shown(other)}`)
  }
  differ('kind of target', old.kind, target.kind)
  differ('target', old.name, target.name)
  for (const key of keysOf(old, target)) differ(`target's ${key}`, detailOf(old, key), detailOf(target, key))
  differ('judge', judgeOf(old), judgeOf(target))
  return found
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
  return value === undefined ? 'not there' : JSON.stringify(value)
}

/** The same target on both sides; undefined on a side that does not have it. */
type TargetPair = readonly [TargetResults | undefined, TargetResults | undefined]

/** Pairs targets by kind and name. If one is left over on each side, these two are paired, however unlike they are. */
function matchTargets(left: readonly TargetResults[], right: readonly TargetResults[]): TargetPair[] {
  const open = [...right]
  const pairs = left.map((target): TargetPair => {
    const found = open.findIndex(({ kind, name }) => kind === target.kind && name === target.name)
    return [target, found < 0 ? undefined : open.splice(found, 1)[0]]
  })
  const alone = pairs.filter(([, match]) => match === undefined)
  if (alone.length !== 1 || open.length !== 1)
    return [...pairs, ...open.map((target): TargetPair => [undefined, target])]
  return pairs.map(([target, match]): TargetPair => [target, match ?? open[0]])
}
