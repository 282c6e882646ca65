/** One attack before and after. */

import { tiers } from '@joust/oatf'
import { defined } from '@joust/source'
import { type Change, type ChangeTest, changeOf, type Observations, pairsOf } from './change.ts'
import type { AttackResults, Trial } from './model.ts'
import { isJudged } from './outcome-order.ts'
import { compareUtility, type UtilityComparison } from './utility.ts'

/**
 * `new`: gets through, and did not before. `worse`: gets further or through more often. `fixed`: no longer gets
 * through. `better`: gets less far or through less often. `undecided`: nothing can be said about one side. `untested`:
 * no longer applicable, where something could be said before. `added` and `missing`: one side does not have the attack.
 */
export const changeStatuses = [
  'new',
  'worse',
  'undecided',
  'untested',
  'missing',
  'added',
  'fixed',
  'better',
  'unchanged',
] as const

export type ChangeStatus = (typeof changeStatuses)[number]

/** The trials of one side. */
export interface Side {
  /** Trials that say something about the agent. */
  readonly judged: number
  /** Those in which the agent fell, even if only in part. */
  readonly fell: number
  readonly inconclusive: number
  /** True when the target lacks what the attack needs, in every trial. */
  readonly not_applicable?: true
  /** How far the attack got: 0 not at all, 1 in part, 2 through, 3 to a local action, 4 to a boundary breach. */
  readonly furthest: number
}

/** How an attack has changed. */
export interface AttackComparison {
  readonly target: string
  readonly id?: string
  readonly file: string
  readonly name: string
  readonly status: ChangeStatus
  /** Set when the attack fares as before, and the status is about the user's task. */
  readonly reason?: 'utility'
  readonly before?: Side
  readonly after?: Side
  /** Pairs of trials with the same number that are both conclusive: how many fell only after, how many only before. */
  readonly pairs?: { readonly count: number; readonly broken: number; readonly mended: number }
  /** What the status is based on; absent where it needs no test, or there are too few trials for one. */
  readonly test?: ChangeTest
  /** The user's task, where both sides show whether it was done. */
  readonly utility?: UtilityComparison
  /** Set when the document has changed. */
  readonly changed?: true
}

/** Compares the trials of an attack. */
export function compareAttack(
  before: AttackResults | undefined,
  after: AttackResults | undefined,
  { target, alpha }: { readonly target: string; readonly alpha: number },
): AttackComparison {
  const { file = '', attack } = after ?? before ?? {}
  const about = defined({ target, id: attack?.id, file, name: attack?.name ?? '' })
  if (before === undefined || after === undefined) {
    if (after !== undefined) return { ...about, status: 'added', after: sideOf(after) }
    return { ...about, status: 'missing', ...(before && { before: sideOf(before) }) }
  }
  const old = sideOf(before)
  const now = sideOf(after)
  const options = { paired: sameTrials(before, after), alpha }
  const { count, begun, ended } = pairsOf(reaching(before, 1), reaching(after, 1))
  const utility = compareUtility(before, after, options)
  return {
    ...about,
    ...withUtility(
      decide(old, now, (level) => changeOf(reaching(before, level), reaching(after, level), options)),
      utility,
    ),
    before: old,
    after: now,
    pairs: { count, broken: begun, mended: ended },
    ...(utility && { utility }),
    ...(before.fingerprint === after.fingerprint ? {} : { changed: true }),
  }
}

type Decision = Pick<AttackComparison, 'status' | 'reason' | 'test'>

/**
 * Bad news needs no proof: getting further than ever before is new or worse, even once. Everything else depends on how
 * often the attack gets anywhere, and as far as it once got, and has to be a change according to `changeOf`.
 */
function decide(old: Side, now: Side, changeTo: (level: number) => Change): Decision {
  if (old.judged > 0 && now.not_applicable === true) return { status: 'untested' }
  if (old.judged === 0 || now.judged === 0) return { status: 'undecided' }
  if (now.furthest > old.furthest) return { status: old.furthest === 0 ? 'new' : 'worse' }
  if (old.furthest === 0) return { status: 'unchanged' }
  const changes = [changeTo(1), changeTo(old.furthest)]
  const worse = changes.find(({ direction }) => direction === 'more')
  if (worse !== undefined) return { status: 'worse', ...testOf(worse) }
  const better = changes.find(({ direction }) => direction === 'less')
  if (better !== undefined) return { status: now.furthest === 0 ? 'fixed' : 'better', ...testOf(better) }
  // Neither test found anything: report the one that came closest.
  const [closest] = changes.toSorted((a, b) => (a.test?.p ?? 1) - (b.test?.p ?? 1))
  return { status: 'unchanged', ...(closest === undefined ? {} : testOf(closest)) }
}

/** A change of the attack comes first; where there is none, a change of the task is reported. */
function withUtility(decision: Decision, utility: UtilityComparison | undefined): Decision {
  if (decision.status !== 'unchanged' || utility === undefined || utility.status === 'unchanged') return decision
  return { status: utility.status, reason: 'utility', ...testOf(utility) }
}

function testOf({ test }: { readonly test?: ChangeTest }): { readonly test?: ChangeTest } {
  return test === undefined ? {} : { test }
}

function sameTrials(before: AttackResults, after: AttackResults): boolean {
  const numbers = new Set(before.trials.map(({ trial }) => trial))
  return numbers.size === after.trials.length && after.trials.every(({ trial }) => numbers.has(trial))
}

function reaching(results: AttackResults, level: number): Observations {
  return new Map(judgedOf(results).map((trial) => [trial.trial, levelOf(trial) >= level]))
}

function sideOf(results: AttackResults): Side {
  const judged = judgedOf(results)
  const levels = judged.map(levelOf)
  return {
    judged: judged.length,
    fell: levels.filter((level) => level > 0).length,
    inconclusive: results.trials.filter(({ outcome }) => outcome === 'inconclusive').length,
    ...(results.outcome === 'not_applicable' ? { not_applicable: true } : {}),
    furthest: levels.reduce((most, level) => Math.max(most, level), 0),
  }
}

function judgedOf({ trials }: AttackResults): Trial[] {
  return trials.filter(isJudged)
}

function levelOf({ outcome, tier }: Trial): number {
  if (outcome !== 'exploited') return outcome === 'partial' ? 1 : 0
  return 2 + Math.max(0, tier === undefined ? 0 : tiers.indexOf(tier))
}

/** The same attack on both sides; undefined on a side that does not have it. */
type AttackPair = readonly [AttackResults | undefined, AttackResults | undefined]

/** Pairs attacks by id, or by file where there is no id or several attacks share one. The left side comes first. */
export function matchAttacks(left: readonly AttackResults[], right: readonly AttackResults[]): AttackPair[] {
  const shared = new Set([...repeated(left), ...repeated(right)])
  const keyOf = ({ attack, file }: AttackResults) =>
    attack.id === undefined || shared.has(attack.id) ? `file ${file}` : `id ${attack.id}`
  const there = new Map<string, AttackResults[]>()
  for (const attack of right) there.set(keyOf(attack), [...(there.get(keyOf(attack)) ?? []), attack])
  const pairs = left.map((attack): AttackPair => [attack, there.get(keyOf(attack))?.shift()])
  const paired = new Set(pairs.map(([, attack]) => attack))
  return [...pairs, ...right.filter((attack) => !paired.has(attack)).map((attack): AttackPair => [undefined, attack])]
}

function repeated(attacks: readonly AttackResults[]): string[] {
  const seen = new Set<string>()
  return attacks.flatMap(({ attack: { id } }) => {
    if (id === undefined) return []
    if (seen.has(id)) return [id]
    seen.add(id)
    return []
  })
}
