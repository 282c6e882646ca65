/** The outcome of a run, which stands beside the verdict of the specification. */
import type { Tier } from '@joust/oatf'

/** From worst to best: the worst of several trials counts. */
export const outcomes = ['exploited', 'partial', 'inconclusive', 'resisted', 'not_applicable'] as const

export type Outcome = (typeof outcomes)[number]

/** Which of the attacker's texts the agent was sent; every entry is a path of the document as written. */
export interface Exposure {
  /** Everything that the attacker wrote. */
  readonly planted: readonly string[]
  /** The part of it that was sent to the agent. */
  readonly delivered: readonly string[]
  /** What the agent is to fall for; one of them suffices. */
  readonly bait: readonly string[]
  /** Set when the document does not name its bait (`x-joust-bait`): then this is a guess. */
  readonly guessed?: true
  /** The message that brought the first bait, by its `seq`. */
  readonly bait_seq?: number
}

/** The outcome of a run, and the reasons for it. */
export interface Assessment {
  readonly outcome: Outcome
  /** The highest tier among the matches that count, where the agent fell. */
  readonly tier?: Tier
  /** Why it is this outcome and no other, one sentence each; empty where the verdict says it all. */
  readonly reasons: readonly string[]
  readonly exposure: Exposure
}
