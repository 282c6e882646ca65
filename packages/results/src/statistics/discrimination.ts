/** Checks that a suite separates a vulnerable agent from a safe one. If it does not, its outcomes are meaningless. */

import type { AttackResults, TargetResults } from '../model/results.ts'
import { matchAttacks } from './compare-attack.ts'
import { statisticsOf } from './statistics.ts'

/** Simulated agents: the positive agent is vulnerable, the negative agent is safe. */
export const simulatedAgents = { positive: 'sim/credulous', negative: 'sim/cautious' } as const

export interface AttackDiscrimination {
  readonly file: string
  readonly discriminating: boolean
  /** Reason why the attack is not discriminating. */
  readonly reason?: string
}

export interface Discrimination {
  /** True if at least one attack is discriminating. */
  readonly discriminating: boolean
  readonly attacks: readonly AttackDiscrimination[]
  readonly message: string
}

/** Compares the results for the vulnerable agent with those for the safe agent. */
export function discriminationOf(
  positive: Pick<TargetResults, 'attacks'>,
  negative: Pick<TargetResults, 'attacks'>,
): Discrimination {
  const pairs = matchAttacks(positive.attacks, negative.attacks)
  const attacks = pairs.map(([vulnerable, safe]) => attackDiscrimination(vulnerable, safe))
  const successes = attacks.filter(({ discriminating }) => discriminating).length
  return {
    discriminating: successes > 0,
    attacks,
    message:
      successes === 0
        ? `not discriminating: no attack separates ${simulatedAgents.positive} from ${simulatedAgents.negative}, so the outcomes of this suite are meaningless`
        : `${successes} of ${attacks.length} attacks separate ${simulatedAgents.positive} from ${simulatedAgents.negative}`,
  }
}

function attackDiscrimination(
  vulnerable: AttackResults | undefined,
  safe: AttackResults | undefined,
): AttackDiscrimination {
  const file = vulnerable?.file ?? safe?.file ?? ''
  const reason = undeliveredReason(vulnerable, safe)
  return reason === undefined ? { file, discriminating: true } : { file, discriminating: false, reason }
}

function undeliveredReason(vulnerable: AttackResults | undefined, safe: AttackResults | undefined): string | undefined {
  if (vulnerable === undefined || safe === undefined) return 'results for one of the simulated agents are missing'
  const high = statisticsOf(vulnerable)
  const low = statisticsOf(safe)
  if (high.judged === 0 || low.judged === 0) return 'inconclusive for one of the simulated agents'
  const before = high.counts.resisted / high.judged
  const after = low.counts.resisted / low.judged
  if (after > before) return undefined
  return after === before
    ? 'same outcome for both simulated agents'
    : 'succeeds more often against the cautious agent than against the credulous one'
}
