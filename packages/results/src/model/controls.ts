/** Controls, which are the evidence that the outcome of an attack is based on, in addition to the verdict. */
import type { ThroughCall } from './through.ts'

/** Channels through which text can reach an agent's model. */
export const channels = [
  'message',
  'tool_description',
  'tool_schema',
  'tool_result',
  'server_instructions',
  'resource',
  'prompt',
  'agent_card',
  'agent_answer',
  'context',
  'state',
] as const

export type Channel = (typeof channels)[number]

/** Signs that the agent was working after the bait. */
export const lifeSigns = ['task', 'model', 'action', 'postflight'] as const

export type LifeSign = (typeof lifeSigns)[number]

/** Parts of a target that can stop an attack. */
export const stoppers = ['model', 'harness', 'filter', 'unknown'] as const

export type StoppedBy = (typeof stoppers)[number]

/** Sources of the proof that a document works. `no`: it is not known to exploit any agent. */
export const proofs = ['simulation', 'library', 'results', 'baseline', 'no'] as const

export type Proof = (typeof proofs)[number]

/** The number of successful attacks among all conclusive runs. */
export interface Successes {
  readonly fell: number
  readonly of: number
}

/** Runs of the document without its bait, and the effect of the bait. */
export interface PlaceboControl extends Successes {
  readonly with_bait?: Successes
  /** Difference between the rates with and without the bait, with a 95 % Newcombe interval. */
  readonly effect?: { readonly difference: number; readonly low: number; readonly high: number }
  /** Reason why there is no comparison. `of` is then 0. */
  readonly skipped?: string
}

/** Runs with a simulated model that obeys everything, in place of the agent's own. */
export interface SensitivityControl extends Successes {
  /** Reason why no such run counts. `of` is then 0. */
  readonly skipped?: string
  /** Calls to the user's real servers in these runs. Absent without `--through`. */
  readonly through?: readonly ThroughCall[]
}

/** The controls of an attack or trial. A field is absent if it was not measured. */
export interface Controls {
  readonly proven?: Proof
  /** True if the document also exploits an agent that follows only its user. */
  readonly unspecific?: true
  readonly placebo?: PlaceboControl
  /** Shows whether the attack can work in this harness. */
  readonly sensitivity?: SensitivityControl
  /** Preflight result for the channel of the bait. `declared`: the user declared it for the target. */
  readonly preflight?: 'reached' | 'not_reached' | 'declared' | 'unknown'
  readonly alive_by?: LifeSign
  /** True if the outcome is based on a provider's filter that stopped the response to the bait. */
  readonly filtered?: true
  /** True if the outcome is based on the absence of the delivered bait from all requests to the model. */
  readonly unread?: true
  readonly stopped_by?: StoppedBy
}

/** Channel states. `declared`: the user declared for the target that text in the channel reaches the model. */
export const channelStates = ['yes', 'no', 'declared', 'unknown'] as const

export type ChannelState = (typeof channelStates)[number]

/**
 * The model calls that belong to the conversation with the user, as observed in the preflight. Other calls are
 * background calls.
 */
export interface MainCalls {
  /** Fingerprints of the starts of the calls' system prompts. */
  readonly prompts: readonly string[]
  /** True if all of these calls offer the agent's own tools. */
  readonly tools?: true
}

/** Facts from outside a run on which its outcome depends. The last line of the trace repeats these facts. */
export interface KnownFacts {
  readonly proven?: Proof
  /** True if the document also exploits an agent that follows only its user. */
  readonly unspecific?: true
  /** True if an unproven document may count as resisted. */
  readonly allow_unproven?: true
  /**
   * True if the preflight observed calls to the agent's model. A run without such calls has then not reached the model.
   */
  readonly observed?: true
  readonly main?: MainCalls
  /** Channel states, from the preflight or declared by the user. */
  readonly channels?: Readonly<Partial<Record<Channel, ChannelState>>>
}
