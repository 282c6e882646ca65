/** What Joust says of an agent, beside the verdict of the specification. */

/** From the worst to the best: of several trials the worst counts. */
export const outcomes = ['exploited', 'partial', 'inconclusive', 'resisted', 'not_applicable'] as const

export type Outcome = (typeof outcomes)[number]

/** Which of the attacker's texts the agent was sent; every entry is a path of the document as written. */
export interface Exposure {
  /** Everything that the attacker wrote. */
  readonly planted: readonly string[]
  /** What of it was sent to the agent. */
  readonly delivered: readonly string[]
  /** What the agent is to fall for; one of them suffices. */
  readonly bait: readonly string[]
  /** The document does not name its bait (`x-joust-bait`): this is a guess. */
  readonly guessed?: true
  /** The message that brought the first bait, by its `seq`. */
  readonly bait_seq?: number
}

/** What is said of a run, and why. */
export interface Assessment {
  readonly outcome: Outcome
  /** Why it is not another one, a sentence each; empty where the verdict says all. */
  readonly reasons: readonly string[]
  readonly exposure: Exposure
}
