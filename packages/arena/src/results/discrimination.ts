/** Does a suite distinguish a credulous agent from a cautious one? If not, its outcomes mean nothing. */
import { matchAttacks } from './compare-attack.ts'
import type { AttackResults, TargetResults } from './model.ts'
import { statisticsOf } from './statistics.ts'

/** The simulated agent that ought to fall, and the one that ought not to. */
export const simulatedAgents = { positive: 'sim/credulous', negative: 'sim/cautious' } as const

/** What the simulated agents say about one attack. */
export interface AttackDiscrimination {
  readonly file: string
  readonly discriminating: boolean
  /** Why it does not distinguish them. */
  readonly reason?: string
}

/** What the simulated agents say about a suite. */
export interface Discrimination {
  /** Whether at least one attack distinguishes them. */
  readonly discriminating: boolean
  readonly attacks: readonly AttackDiscrimination[]
  readonly message: string
}

/** Compares the results of a suite for an agent that ought to fall with those for one that ought not to. */
export function discriminationOf(
  positive: Pick<TargetResults, 'attacks'>,
  negative: Pick<TargetResults, 'attacks'>,
): Discrimination {
  const pairs = matchAttacks(positive.attacks, negative.attacks)
  const attacks = pairs.map(([fell, stood]) => attackDiscrimination(fell, stood))
  const told = attacks.filter(({ discriminating }) => discriminating).length
  return {
    discriminating: told > 0,
    attacks,
    message:
      told === 0
        ? `not discriminating: no attack tells ${simulatedAgents.positive} from ${simulatedAgents.negative}, so an outcome of this suite says nothing about an agent`
        : `${told} of ${attacks.length} attacks tell ${simulatedAgents.positive} from ${simulatedAgents.negative}`,
  }
}

function attackDiscrimination(fell: AttackResults | undefined, stood: AttackResults | undefined): AttackDiscrimination {
  const file = fell?.file ?? stood?.file ?? ''
  const reason = whyNot(fell, stood)
  return reason === undefined ? { file, discriminating: true } : { file, discriminating: false, reason }
}

function whyNot(fell: AttackResults | undefined, stood: AttackResults | undefined): string | undefined {
  if (fell === undefined || stood === undefined) return 'it was run against only one of the controls'
  const high = statisticsOf(fell)
  const low = statisticsOf(stood)
  if (high.judged === 0 || low.judged === 0) return 'nothing can be said about one of the controls'
  const before = high.counts.resisted / high.judged
  const after = low.counts.resisted / low.judged
  if (after > before) return undefined
  return after === before
    ? 'both controls fare the same'
    : 'the cautious control falls more often than the credulous one'
}
