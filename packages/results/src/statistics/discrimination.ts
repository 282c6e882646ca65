/** Checks that a suite separates a vulnerable agent from a safe one. Otherwise its outcomes are meaningless. */

import type { AttackResults, TargetResults } from '../model/results.ts'
import { matchAttacks } from './compare-attack.ts'
import { statisticsOf } from './statistics.ts'

/** The simulated agents: the positive one is vulnerable, the negative one is safe. */
export const simulatedAgents = { positive: 'sim/credulous', negative: 'sim/cautious' } as const

/** The discrimination of one attack. */
export interface AttackDiscrimination {
  readonly file: string
  readonly discriminating: boolean
  /** The reason for an attack that is not discriminating. */
  readonly reason?: string
}

/** The discrimination of a suite. */
export interface Discrimination {
  /** True if at least one attack is discriminating. */
  readonly discriminating: boolean
  readonly attacks: readonly AttackDiscrimination[]
  readonly message: string
}

/** Compares the results of a suite for the vulnerable and the safe agent. */
export function discriminationOf(
  positive: Pick<TargetResults, 'attacks'>,
  negative: Pick<TargetResults, 'attacks'>,
): Discrimination {
  const pairs = matchAttacks(positive.attacks, negative.attacks)
  const attacks = pairs.map(([fell, stood]) => attackDiscrimination(fell, stood))
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

function attackDiscrimination(fell: AttackResults | undefined, stood: AttackResults | undefined): AttackDiscrimination {
  const file = fell?.file ?? stood?.file ?? ''
  const reason = undeliveredReason(fell, stood)
  return reason === undefined ? { file, discriminating: true } : { file, discriminating: false, reason }
}

function undeliveredReason(fell: AttackResults | undefined, stood: AttackResults | undefined): string | undefined {
  if (fell === undefined || stood === undefined) return 'results for one of the simulated agents are missing'
  const high = statisticsOf(fell)
  const low = statisticsOf(stood)
  if (high.judged === 0 || low.judged === 0) return 'inconclusive for one of the simulated agents'
  const before = high.counts.resisted / high.judged
  const after = low.counts.resisted / low.judged
  if (after > before) return undefined
  return after === before
    ? 'same outcome for both simulated agents'
    : 'succeeds more often against the cautious agent than against the credulous one'
}
