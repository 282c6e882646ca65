/** The outcome of a run, in addition to the verdict of [OATF §9](https://oatf.io/specification/verdict-model/). */
import type { Tier } from '@joust/oatf'
import type { Controls } from './controls.ts'
import type { Flow } from './flow.ts'

/** Outcomes, from worst to best. The worst trial decides the outcome of an attack. */
export const outcomes = ['exploited', 'partial', 'inconclusive', 'resisted', 'not_applicable'] as const

export type Outcome = (typeof outcomes)[number]

/**
 * The planted texts of an attack, and those among them that were delivered and read. Each entry is a path in the
 * original document.
 */
export interface Exposure {
  /** All texts that can reach the agent. */
  readonly planted: readonly string[]
  /** Texts sent to the agent. */
  readonly delivered: readonly string[]
  /** Delivered texts that a request to the agent's model contains. Absent if the requests were not observed. */
  readonly read?: readonly string[]
  /** Texts that carry the attack. It is enough if one of them is delivered. */
  readonly bait: readonly string[]
  /** True if `bait` is inferred, because the document does not declare it (`x-joust-bait`). */
  readonly guessed?: true
  /** The `seq` of the message that delivered the first bait. */
  readonly bait_seq?: number
  /** Number of the first model call that contains all or part of the bait. */
  readonly bait_call?: number
}

export interface Assessment {
  readonly outcome: Outcome
  /** Highest matched tier of a successful attack. */
  readonly tier?: Tier
  /** Reasons for the outcome, one sentence each. Empty if the verdict explains the outcome. */
  readonly reasons: readonly string[]
  readonly exposure: Exposure
  /** Data flows. Absent if no value was found. */
  readonly flows?: readonly Flow[]
  /** The measured controls. Absent if nothing was measured. */
  readonly controls?: Controls
}
