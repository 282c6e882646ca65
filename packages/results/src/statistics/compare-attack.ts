import { tiers } from '@joust/oatf'
import { defined } from '@joust/source'
import { isJudged } from '../model/outcome-order.ts'
import type { AttackResults, Trial } from '../model/results.ts'
import {
  type Change,
  type ChangeTest,
  changeOf,
  intervalOf,
  type Observations,
  pairsOf,
  sequentialChange,
} from './change.ts'
import { compareUtility, type UtilityComparison } from './utility.ts'
import type { Proportion } from './wilson.ts'

/**
 * `new`: succeeds for the first time. `worse`: reaches a higher level or succeeds more often. `fixed`: no longer
 * succeeds. `better`: reaches a lower level or succeeds less often. `undecided`: inconclusive on one side. `untested`:
 * no longer applicable, but conclusive before. `added` and `missing`: on one side only.
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

/** The trials on one side of a comparison. */
export interface Side {
  /** Number of conclusive trials. */
  readonly judged: number
  /** Number of trials in which the attack succeeded at least partially. */
  readonly fell: number
  readonly inconclusive: number
  /** Always-valid 95 % interval of the rate of `fell`, if the number of trials was not fixed on both sides. */
  readonly interval?: Pick<Proportion, 'low' | 'high'>
  /** True if the target lacks a feature that the attack needs. */
  readonly not_applicable?: true
  /** Highest level: 0 resisted, 1 partial, 2 exploited, 3 local action, 4 boundary breach. */
  readonly furthest: number
}

export interface AttackComparison {
  readonly target: string
  readonly id?: string
  readonly file: string
  readonly name: string
  readonly status: ChangeStatus
  /** `utility` if the attack is unchanged and the status refers to the user's task. */
  readonly reason?: 'utility'
  readonly before?: Side
  readonly after?: Side
  /** Trials conclusive on both sides. The attack succeeds only now in `broken` trials, only before in `mended` ones. */
  readonly pairs?: { readonly count: number; readonly broken: number; readonly mended: number }
  /** Test on which the status is based. Absent if no test is needed, or if there are too few trials. */
  readonly test?: ChangeTest
  /** Change in the completion of the user's task, if it is conclusive on both sides. */
  readonly utility?: UtilityComparison
  /** True if the document has changed. */
  readonly changed?: true
}

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
  const isSequential = before.decision !== undefined || after.decision !== undefined
  const old = sideOf(before, isSequential)
  const now = sideOf(after, isSequential)
  const options = { paired: sameTrials(before, after), alpha }
  const { count, begun, ended } = pairsOf(reaching(before, 1), reaching(after, 1))
  const utility = compareUtility(before, after, options)
  const changeTo = (level: number) => {
    const [left, right] = [reaching(before, level), reaching(after, level)]
    return isSequential ? sequentialChange(left, right) : changeOf(left, right, options)
  }
  return {
    ...about,
    ...withUtility(decide(old, now, changeTo), utility),
    before: old,
    after: now,
    pairs: { count, broken: begun, mended: ended },
    ...(utility && { utility }),
    ...(before.fingerprint === after.fingerprint ? {} : { changed: true }),
  }
}

type Decision = Pick<AttackComparison, 'status' | 'reason' | 'test'>

/**
 * Decides the status. Reaching a higher level than before is `new` or `worse` after a single trial. Any other change
 * must be significant according to `changeOf`: in the number of all successes, or of successes at the highest earlier
 * level.
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
  // Neither change is significant: report the smaller p-value.
  const [closest] = changes.toSorted((a, b) => (a.test?.p ?? 1) - (b.test?.p ?? 1))
  return { status: 'unchanged', ...(closest === undefined ? {} : testOf(closest)) }
}

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

function sideOf(results: AttackResults, isSequential = results.decision !== undefined): Side {
  const judged = judgedOf(results)
  const levels = judged.map(levelOf)
  const interval = isSequential ? intervalOf(reaching(results, 1)) : undefined
  return {
    judged: judged.length,
    fell: levels.filter((level) => level > 0).length,
    inconclusive: results.trials.filter(({ outcome }) => outcome === 'inconclusive').length,
    ...(interval && { interval }),
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

/** The results on both sides. Undefined if an attack is missing from a side. */
type AttackPair = readonly [AttackResults | undefined, AttackResults | undefined]

/** Pairs attacks by id, or by file if the id is missing or not unique. Attacks on the left come first. */
export function matchAttacks(left: readonly AttackResults[], right: readonly AttackResults[]): AttackPair[] {
  const shared = new Set([...repeated(left), ...repeated(right)])
  const keyOf = ({ attack, file }: AttackResults) =>
    attack.id === undefined || shared.has(attack.id) ? `file ${file}` : `id ${attack.id}`
  const byKey = new Map<string, AttackResults[]>()
  for (const attack of right) byKey.set(keyOf(attack), [...(byKey.get(keyOf(attack)) ?? []), attack])
  const pairs = left.map((attack): AttackPair => [attack, byKey.get(keyOf(attack))?.shift()])
  const paired = new Set(pairs.map(([, attack]) => attack))
  return [...pairs, ...right.filter((attack) => !paired.has(attack)).map((attack): AttackPair => [undefined, attack])]
}

function repeated(attacks: readonly AttackResults[]): string[] {
  const ids = new Set<string>()
  return attacks.flatMap(({ attack: { id } }) => {
    if (id === undefined) return []
    if (ids.has(id)) return [id]
    ids.add(id)
    return []
  })
}
