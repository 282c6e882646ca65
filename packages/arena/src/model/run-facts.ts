/** Facts about a run that its messages do not show. The last line of a trace holds them, and no sentence about the document. */
import type { ActorOutcome } from './actor-outcome.ts'
import type { RunDiagnostic } from './diagnostics.ts'
import type { Refusal } from './target.ts'

/** An actor, for a judge. */
export interface ActorFacts extends Pick<ActorOutcome, 'name' | 'mode' | 'status' | 'unreached'> {
  /** The names of the phases that it went through. */
  readonly phases: readonly string[]
}

/** The facts about a run. */
export interface RunFacts {
  /** One of `EndReason`; a trace may hold any text. */
  readonly ended: string
  readonly actors?: readonly ActorFacts[]
  /** The diagnostics that an outcome may depend on. */
  readonly diagnostics?: readonly Pick<RunDiagnostic, 'code' | 'message' | 'actor'>[]
  /** Answers that the agent's own client did not accept. */
  readonly refusals?: readonly Refusal[]
  /** Set when the document attacked itself. */
  readonly self_play?: true
  /** The fingerprint of the execution that was played; `sent` holds for no other. */
  readonly played?: string
  /** The entry that completed each planted text, by its path: a trace may hide the text. */
  readonly sent?: Readonly<Record<string, number>>
}

/** Features that a target lacks, for an attack that was not run. */
export interface NotRun {
  readonly lacking: readonly string[]
}
