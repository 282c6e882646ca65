/** Facts about a run that its messages do not show. The last line of a trace contains them. */
import type { ActorOutcome } from './actor-outcome.ts'
import type { KnownFacts } from './controls.ts'
import type { RunDiagnostic } from './diagnostics.ts'

/** Reasons for the end of a run. `expired`: timeout. `flooded`: too many messages. `failed`: the target could not be started. */
export const endReasons = ['done', 'expired', 'interrupted', 'flooded', 'failed'] as const

export type EndReason = (typeof endReasons)[number]

/** A response from a server actor that the agent's client rejected, so the agent did not receive it. */
export interface Refusal {
  readonly actor: string
  /** The requested operation, as the protocol names it. */
  readonly operation: string
  readonly message: string
}

/** The facts about an actor that an outcome may depend on. */
export interface ActorFacts extends Pick<ActorOutcome, 'name' | 'mode' | 'status' | 'unreached'> {
  /** The names of the phases that were entered, in order. */
  readonly phases: readonly string[]
}

/** Results of a postflight: a harmless question to the agent after the attack. */
export const postflights = ['passed', 'failed'] as const

type Postflight = (typeof postflights)[number]

/** Ways in which a text occurs in a request to the model. `plain`: apart from white space and escapes. */
export const readings = ['exact', 'plain', 'part'] as const

/** The best reply to a request with a text, or to a later one of its conversation. `none`: cut off, failed or empty. */
export const replies = ['complete', 'filtered', 'none'] as const

/** A planted text in the requests to the model. */
export interface ReadFact {
  readonly how: (typeof readings)[number]
  /** The number of the first model call that contains the text in this way. */
  readonly call: number
  readonly reply: (typeof replies)[number]
  /** The text as it was sent, in pieces where a request has it in pieces; possibly shortened. */
  readonly texts?: readonly string[]
  /**
   * Set if only tools in the requests contain the text, and no tool call or token count of the run shows that the server
   * of the model passes tools on.
   */
  readonly unconfirmed?: true
  /** True if only background calls, such as one for a title, contain the text. */
  readonly background?: true
  /** True if the server counted fewer tokens than the requests with the text must have. */
  readonly truncated?: true
  /** Missing sentences of a partly contained text, possibly shortened. */
  readonly missing?: readonly string[]
}

/** The observed calls to the agent's model. */
export interface ModelFacts {
  readonly calls: number
  /** Calls that were not recorded, or may belong to another run. */
  readonly missed: number
  /** The planted texts in the requests, by path; valid only for the document in `played`. */
  readonly read: Readonly<Record<string, ReadFact>>
  /** True if the model completely answered a request that followed the first bait; valid like `read`. */
  readonly answered?: true
}

/** The facts about a run. */
export interface RunFacts {
  /** One of `EndReason`; a trace may hold any text. */
  readonly ended: string
  readonly actors?: readonly ActorFacts[]
  /** The diagnostics that an outcome may depend on. */
  readonly diagnostics?: readonly Pick<RunDiagnostic, 'code' | 'message' | 'actor'>[]
  /** Responses that the agent's client rejected. */
  readonly refusals?: readonly Refusal[]
  /** True for a run in self-play. */
  readonly self_play?: true
  /** The fingerprint of the executed document; `sent` is valid only for it. */
  readonly played?: string
  /** The `seq` of the entry that completed each planted text, by path; the text itself may be redacted in the trace. */
  readonly sent?: Readonly<Record<string, number>>
  /** The calls to the agent's model; absent where they cannot be observed. */
  readonly model?: ModelFacts
  /** The result of a harmless question after the attack; absent if none was asked. */
  readonly postflight?: Postflight
  /**
   * True if the last answer refers to the conversation, unlike an error message; set only where no question can be
   * asked.
   */
  readonly related?: boolean
  /** Facts from outside the run. */
  readonly known?: KnownFacts
}

/** The missing features of a target, for an attack that is not applicable. */
export interface NotRun {
  readonly lacking: readonly string[]
}
