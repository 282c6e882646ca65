/** The outcome of a run, in addition to the verdict of [OATF §9](https://oatf.io/specification/verdict-model/). */
import type { Tier } from '@joust/oatf'
import type { Controls } from './controls.ts'
import type { Flow } from './flow.ts'

/** Outcomes from worst to best. The worst trial decides the outcome of an attack. */
export const outcomes = ['exploited', 'partial', 'inconclusive', 'resisted', 'not_applicable'] as const

export type Outcome = (typeof outcomes)[number]

/** Delivery of the attacker's texts to the agent. Each entry is a path of the original document. */
export interface Exposure {
  /** All texts of the attacker. */
  readonly planted: readonly string[]
  /** Texts that were sent to the agent. */
  readonly delivered: readonly string[]
  /** Delivered texts that a request to the agent's model contains; absent where its requests were not observed. */
  readonly read?: readonly string[]
  /** Texts that carry the attack; delivery of one is enough. */
  readonly bait: readonly string[]
  /** True if `bait` is inferred, because the document does not declare it (`x-joust-bait`). */
  readonly guessed?: true
  /** The `seq` of the message that delivered the first bait. */
  readonly bait_seq?: number
  /** The number of the first model call that contains the bait, or a part of it. */
  readonly bait_call?: number
}

/** The outcome of a run with the reasons for it. */
export interface Assessment {
  readonly outcome: Outcome
  /** The highest tier among the matches, for a successful attack. */
  readonly tier?: Tier
  /** Reasons for the outcome, one sentence each; empty if the verdict is sufficient. */
  readonly reasons: readonly string[]
  readonly exposure: Exposure
  /** Values in the arguments of later calls; absent if there are none. */
  readonly flows?: readonly Flow[]
  /** The evidence besides the verdict; absent if nothing was measured. */
  readonly controls?: Controls
}
