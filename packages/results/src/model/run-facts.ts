/** Facts about a run that its messages do not show. The last line of a trace contains them. */
import type { ActorOutcome } from './actor-outcome.ts'
import type { KnownFacts } from './controls.ts'
import type { RunDiagnostic } from './diagnostics.ts'

/**
 * Reasons why a run ended. `expired`: timeout. `flooded`: too many messages. `failed`: the target could not be started.
 */
export const endReasons = ['done', 'expired', 'interrupted', 'flooded', 'failed'] as const

export type EndReason = (typeof endReasons)[number]

/** A response from a server actor that the agent's client rejected, so that it did not reach the agent. */
export interface Refusal {
  readonly actor: string
  /** Requested operation, as named by the protocol. */
  readonly operation: string
  readonly message: string
}

/** The facts about an actor that may affect the outcome. */
export interface ActorFacts extends Pick<ActorOutcome, 'name' | 'mode' | 'status' | 'unreached'> {
  /** Names of the entered phases, in order. */
  readonly phases: readonly string[]
}

/** Results of a postflight: a harmless question to the agent after the attack. */
export const postflights = ['passed', 'failed'] as const

type Postflight = (typeof postflights)[number]

/** Ways in which a text occurs in a request to the model. `plain`: white space and escapes may differ. */
export const readings = ['exact', 'plain', 'part'] as const

/**
 * The best reply to a request with a text, or to a later request in its conversation. `none`: cut off, failed or empty.
 */
export const replies = ['complete', 'filtered', 'none'] as const

/** A planted text in the requests to the model. */
export interface ReadFact {
  readonly how: (typeof readings)[number]
  /** Number of the first model call that contains the text. */
  readonly call: number
  readonly reply: (typeof replies)[number]
  /** The sent text, possibly shortened, or its pieces if the request splits it. */
  readonly texts?: readonly string[]
  /**
   * True if only tool definitions contain the text, and no tool call or token count of the run shows that the model's
   * server passes tools on.
   */
  readonly unconfirmed?: true
  /** True if the text occurs only in background calls, such as the generation of a title. */
  readonly background?: true
  /** True if the model's server counted fewer tokens than the requests that contain the text must have. */
  readonly truncated?: true
  /** Missing sentences, possibly shortened, if the requests contain only a part of the text. */
  readonly missing?: readonly string[]
}

export interface ModelFacts {
  readonly calls: number
  /** Calls that were not recorded, or may belong to another run. */
  readonly missed: number
  /** Planted texts in the requests, by path. Valid only for the document in `played`. */
  readonly read: Readonly<Record<string, ReadFact>>
  /** True if a request after the first bait got a complete response. Valid only for the document in `played`. */
  readonly answered?: true
}

export interface RunFacts {
  /** The reason why the run ended: one of `EndReason`, or any text in a trace from another tool. */
  readonly ended: string
  readonly actors?: readonly ActorFacts[]
  /** Diagnostics that may affect the outcome. */
  readonly diagnostics?: readonly Pick<RunDiagnostic, 'code' | 'message' | 'actor'>[]
  readonly refusals?: readonly Refusal[]
  /** True for self-play. */
  readonly self_play?: true
  /** Fingerprint of the executed document, the only one for which `sent` is valid. */
  readonly played?: string
  /** The `seq` of the entry that completed each planted text, by path. The text itself may be redacted in the trace. */
  readonly sent?: Readonly<Record<string, number>>
  /** Facts about the calls to the agent's model. Absent if the calls cannot be observed. */
  readonly model?: ModelFacts
  /** The result of the postflight. Absent if no harmless question was asked after the attack. */
  readonly postflight?: Postflight
  /**
   * True if the last answer refers to the conversation, unlike an error message. Set only if no question can be asked.
   */
  readonly related?: boolean
  readonly known?: KnownFacts
}

/** Features that the target lacks, so that the attack is not applicable. */
export interface NotRun {
  readonly lacking: readonly string[]
}
