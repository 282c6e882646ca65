/** What Joust says about an agent, besides the verdict of the specification. */

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

/** What is said about a run, and why. */
export interface Assessment {
  readonly outcome: Outcome
  /** Why it is this outcome and no other, one sentence each; empty where the verdict says it all. */
  readonly reasons: readonly string[]
  readonly exposure: Exposure
}
