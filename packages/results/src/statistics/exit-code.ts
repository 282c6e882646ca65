import { type AttackVerdict, type SeverityLevel, severityRank, type Tier, tiers } from '@joust/oatf'
import { isJudged, isSuspicious, type Ranked, verdictOutcomes } from '../model/outcome-order.ts'
import type { AttackResults, Results } from '../model/results.ts'
import type { AttackComparison } from './compare-attack.ts'
import { countErrors, statisticsOf } from './statistics.ts'

/** Exit codes by outcome. Scripts depend on them. */
export const outcomeCodes = {
  resisted: 0,
  exploited: 1,
  localAction: 2,
  boundaryBreach: 3,
  partial: 4,
  /** For inconclusive runs, or if no attack is applicable. */
  inconclusive: 5,
} as const

export function outcomeCode({ outcome, tier }: Ranked): number {
  if (outcome === 'not_applicable') return outcomeCodes.inconclusive
  if (outcome !== 'exploited') return outcomeCodes[outcome]
  if (tier === 'local_action') return outcomeCodes.localAction
  return tier === 'boundary_breach' ? outcomeCodes.boundaryBreach : outcomeCodes.exploited
}

/** Returns the exit code of a verdict without an outcome. */
export function verdictCode(verdict: Pick<AttackVerdict, 'result' | 'max_tier'>): number {
  return outcomeCode({ outcome: verdictOutcomes[verdict.result], tier: verdict.max_tier })
}

/** Exit codes from worst to best, in the order of `compareOutcomes`. */
const ranking: readonly number[] = [
  outcomeCodes.boundaryBreach,
  outcomeCodes.localAction,
  outcomeCodes.exploited,
  outcomeCodes.partial,
  outcomeCodes.inconclusive,
  outcomeCodes.resisted,
]

/** Returns the worst exit code. An empty list is inconclusive, not a pass. */
export function worstCode(codes: readonly number[]): number {
  return ranking.find((code) => codes.includes(code)) ?? outcomeCodes.inconclusive
}

/** Conditions under which a suite fails. */
export interface Gate {
  /** Lowest tier or severity that fails the suite, or `regression` for regressions only. @default every success */
  readonly failOn?: Tier | SeverityLevel | 'regression' | undefined
  /** Maximum number of inconclusive runs. @default none is allowed */
  readonly maxErrors?: number | undefined
  /** Regressions from the baseline. Undefined if there is no comparison. @default no comparison */
  readonly regressions?: readonly Pick<AttackComparison, 'target' | 'file'>[] | undefined
}

/**
 * Returns the exit code of results. More inconclusive runs than allowed, attacks without a conclusive run, and stopped
 * suites always fail. Attacks that are not applicable are ignored, unless a target has no others.
 *
 * @example
 * process.exitCode = suiteCode(results, { failOn: 'high' })
 */
export function suiteCode({ targets, stopped }: Results, gate: Gate = {}): number {
  const { failOn, maxErrors, regressions } = gate
  if (failOn === 'regression' && regressions === undefined) return outcomeCodes.inconclusive
  const attacks = targets.flatMap((target) => target.attacks)
  const exceeded = maxErrors !== undefined && countErrors(attacks) > maxErrors
  const codes = targets.flatMap((target) => {
    const applicable = target.attacks.filter(({ outcome }) => outcome !== 'not_applicable')
    // A target without applicable attacks does not pass.
    if (applicable.length === 0) return [outcomeCodes.inconclusive]
    const isUntested = target.attacks.some(
      (attack) => attack.outcome === 'not_applicable' && failOn === 'regression' && counts(attack, target.name, gate),
    )
    const codes = applicable.map((attack) => attackCode(attack, target.name, gate))
    return isUntested ? [...codes, outcomeCodes.inconclusive] : codes
  })
  return worstCode(exceeded || stopped !== undefined ? [...codes, outcomeCodes.inconclusive] : codes)
}

function attackCode(attack: AttackResults, target: string, gate: Gate): number {
  const { judged, counts: outcomes } = statisticsOf(attack)
  if (judged > 0 && isJudged(attack) && counts(attack, target, gate)) return outcomeCode(attack)
  // `maxErrors` does not cover runs with a match in a message from the agent.
  const isAllowed = gate.maxErrors !== undefined && !attack.trials.some(isSuspicious)
  const open = judged === 0 || (outcomes.inconclusive > 0 && !isAllowed)
  return open ? outcomeCodes.inconclusive : outcomeCodes.resisted
}

const isTier = (name: string): name is Tier => (tiers as readonly string[]).includes(name)
const tierRank = (tier: Tier | undefined): number => (tier === undefined ? -1 : tiers.indexOf(tier))

function counts(results: AttackResults, target: string, { failOn, regressions = [] }: Gate): boolean {
  const { attack, file } = results
  if (failOn === undefined) return true
  if (failOn === 'regression') return regressions.some((one) => one.target === target && one.file === file)
  if (isTier(failOn)) return tierRank(results.tier) >= tierRank(failOn)
  // An unknown severity may be the highest.
  return attack.severity === undefined || severityRank(attack.severity) >= severityRank(failOn)
}
