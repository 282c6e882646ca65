/** Controls: the evidence besides the verdict that the outcome of an attack is based on. */
import type { ThroughCall } from './through.ts'

/** Ways for a text to reach the model of an agent. */
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

/** Sources of the knowledge that a document works. `no`: no agent is known to fall for it. */
export const proofs = ['simulation', 'library', 'results', 'baseline', 'no'] as const

export type Proof = (typeof proofs)[number]

/** Conclusive runs in which the attack succeeded, of all conclusive runs. */
export interface Successes {
  readonly fell: number
  readonly of: number
}

/** Runs of the document without its bait, and the difference that the bait makes. */
export interface PlaceboControl extends Successes {
  /** The runs with the bait. */
  readonly with_bait?: Successes
  /** The difference of the rates with and without the bait, with its 95 % interval (Newcombe). */
  readonly effect?: { readonly difference: number; readonly low: number; readonly high: number }
  /** The reason for a missing comparison; `of` is then 0. */
  readonly skipped?: string
}

/** Runs with a simulated model that obeys everything in place of the agent's own. */
export interface SensitivityControl extends Successes {
  /** The reason why no such run counts; `of` is then 0. */
  readonly skipped?: string
  /** Calls to tools of the user's real servers in these runs; absent without `--through`. */
  readonly through?: readonly ThroughCall[]
}

/** The controls of an attack or a trial; a missing field was not measured. */
export interface Controls {
  readonly proven?: Proof
  /** True if the document also exploits an agent that follows only its user. */
  readonly unspecific?: true
  readonly placebo?: PlaceboControl
  /** Shows that the attack can work in this harness. */
  readonly sensitivity?: SensitivityControl
  /** The result of the preflight for the channel of the bait. `declared`: by the user, on the target. */
  readonly preflight?: 'reached' | 'not_reached' | 'declared' | 'unknown'
  readonly alive_by?: LifeSign
  /** True if a filter of the model's provider stopped the answer to the bait, and the outcome is based on that. */
  readonly filtered?: true
  /** True if no request to the model contains the delivered bait, and the outcome is based on that. */
  readonly unread?: true
  readonly stopped_by?: StoppedBy
}

/** States of a channel. `declared`: by the user, on the target. */
export const channelStates = ['yes', 'no', 'declared', 'unknown'] as const

export type ChannelState = (typeof channelStates)[number]

/** The calls in the conversation with the user, as the preflight saw them; other calls are made in the background. */
export interface MainCalls {
  /** Fingerprints of the beginnings of their system prompts. */
  readonly prompts: readonly string[]
  /** Set if all of them offer tools of the agent itself. */
  readonly tools?: true
}

/** Facts from outside a run that its outcome depends on. The last line of a trace repeats them. */
export interface KnownFacts {
  readonly proven?: Proof
  /** True if the document also exploits an agent that follows only its user. */
  readonly unspecific?: true
  /** True if an unproven document may pass. */
  readonly allow_unproven?: true
  /** True if the preflight saw calls to the agent's model: a run without any has not reached the model. */
  readonly observed?: true
  /** The calls in the conversation with the user. */
  readonly main?: MainCalls
  /** The channels that reach the model, by the preflight or by declaration. */
  readonly channels?: Readonly<Partial<Record<Channel, ChannelState>>>
}
