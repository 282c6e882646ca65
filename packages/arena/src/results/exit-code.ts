/** The exit code of a suite: the worst of its attacks, as far as it is to count. */
import { type AttackVerdict, severityLevels, tiers } from '@joust/oatf'
import type { AttackResults, Results } from './model.ts'
import { errorBudget, statisticsOf } from './statistics.ts'

/** What an exit code says of attacks; scripts rely on it. */
const verdictCodes = {
  notExploited: 0,
  exploited: 1,
  localAction: 2,
  boundaryBreach: 3,
  partial: 4,
  /** Nothing can be said about the agent. */
  error: 5,
} as const

/** The exit code of one verdict. */
export function verdictCode({ result, max_tier }: Pick<AttackVerdict, 'result' | 'max_tier'>): number {
  if (result === 'not_exploited') return verdictCodes.notExploited
  if (result === 'partial') return verdictCodes.partial
  if (result === 'error') return verdictCodes.error
  if (max_tier === 'local_action') return verdictCodes.localAction
  return max_tier === 'boundary_breach' ? verdictCodes.boundaryBreach : verdictCodes.exploited
}

/** From the worst on: a breach outranks what could not be said, which outranks a pass. */
const ranking: readonly number[] = [
  verdictCodes.boundaryBreach,
  verdictCodes.localAction,
  verdictCodes.exploited,
  verdictCodes.partial,
  verdictCodes.error,
  verdictCodes.notExploited,
]

/** The worst of some codes; nothing at all is an error, never a pass. */
export function worstCode(codes: readonly number[]): number {
  return ranking.find((code) => codes.includes(code)) ?? verdictCodes.error
}

/** What decides whether a suite fails. */
export interface Gate {
  /** A tier or a severity: milder successes of an attack pass. `regression`: only what was not so before counts. */
  readonly failOn?: string | undefined
  /** How many runs may end in an error. */
  readonly maxErrors?: number | undefined
  /** Files of the attacks that are worse than the baseline; undefined when nothing could be compared. */
  readonly regressions?: ReadonlySet<string> | undefined
}

/**
 * The exit code of results. A run without a verdict fails the suite unless so many of them were allowed; an attack without
 * any verdict, and a suite that was stopped, fail in any case.
 */
export function suiteCode(results: Results, gate: Gate): number {
  const { failOn, maxErrors, regressions } = gate
  const exceeded = maxErrors !== undefined && errorBudget(results, maxErrors).exceeded
  if (failOn === 'regression' && regressions === undefined) return verdictCodes.error
  const codes = results.attacks.map((attack) => {
    const { judged, counts: outcomes } = statisticsOf(attack)
    if (judged > 0 && attack.verdict.result !== 'error' && counts(attack, gate)) return verdictCode(attack.verdict)
    const open = judged === 0 || (outcomes.error > 0 && maxErrors === undefined)
    return open ? verdictCodes.error : verdictCodes.notExploited
  })
  return worstCode(exceeded || results.stopped !== undefined ? [...codes, verdictCodes.error] : codes)
}

const tierRank = (tier: string): number => (tiers as readonly string[]).indexOf(tier)
const severityRank = (level: string): number => (severityLevels as readonly string[]).indexOf(level)

function counts({ verdict, attack, file }: AttackResults, { failOn, regressions }: Gate): boolean {
  if (failOn === undefined) return true
  if (failOn === 'regression') return regressions?.has(file) === true
  const tier = tierRank(failOn)
  if (tier >= 0) return tierRank(verdict.max_tier ?? '') >= tier
  // An attack that does not say how bad it is may be as bad as any.
  return attack.severity === undefined || severityRank(attack.severity) >= severityRank(failOn)
}
