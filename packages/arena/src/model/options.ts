/** What a run may be told, and what holds when it is not. */
import type { AsyncEvaluators } from '@joust/oatf'
import type { PhaseVisit } from './actor-outcome.ts'
import type { Clock } from './clock.ts'
import type { RunDiagnostic } from './reports.ts'
import type { Target } from './target.ts'
import type { TraceEntry } from './trace-entry.ts'
import type { Connect, Listen } from './wiring.ts'

/** Every bound of a run. */
export interface RunLimits {
  /** How long a terminal phase may last. */
  readonly phaseMs: number
  /** How long a client that has sent everything waits for its trigger, where events may still come. */
  readonly stallMs: number
  /** How long a run may last, without its grace period. Whoever only waits for the agent has then waited long enough. */
  readonly runMs: number
  /**
   * How long a client that is done waits for requests of the agent. By default 5 s where the document has answers to them
   * (sampling, elicitation, roots), else 250 ms.
   */
  readonly observeMs?: number
  /** How long to go on observing after the run, when the document does not say. */
  readonly graceMs: number
  /** How long an answer may take to begin. */
  readonly replyMs: number
  /** How long may be spent on closing what the run has opened. */
  readonly closeMs: number
  /** The largest message, in bytes. */
  readonly messageBytes: number
  /** How many messages a run may record. */
  readonly messages: number
  /** How much text the recorded messages may hold, in characters. */
  readonly characters: number
  /** How often a connection is tried again. */
  readonly retries: number
}

export const defaultRunLimits: RunLimits = {
  phaseMs: 5 * 60_000,
  stallMs: 30_000,
  runMs: 30 * 60_000,
  graceMs: 250,
  replyMs: 60_000,
  closeMs: 5_000,
  messageBytes: 16 * 1024 * 1024,
  messages: 1_000_000,
  characters: 512 * 1024 * 1024,
  retries: 3,
}

/** What a run tells while it goes on. */
export type RunEvent =
  /** `alone` when no target will tell how the actor is wired. */
  | { readonly kind: 'actor-ready'; readonly actor: string; readonly address?: string; readonly alone: boolean }
  | ({ readonly kind: 'phase-entered'; readonly actor: string } & PhaseVisit)
  | { readonly kind: 'message-recorded'; readonly entry: TraceEntry }
  | { readonly kind: 'diagnostic-reported'; readonly diagnostic: RunDiagnostic }
  | { readonly kind: 'target-started'; readonly target: string; readonly wiring: readonly string[] }
  | { readonly kind: 'grace-started'; readonly milliseconds: number }
  | { readonly kind: 'run-ended'; readonly reason: EndReason }

/** Where a trace goes while it grows. */
export interface TraceSink {
  write(entry: TraceEntry): void
  /** What has gone wrong; undefined while all is written. */
  fault(): Error | undefined
}

/** Why a run ended: everything was done, a limit was reached, somebody stopped it, or it could not be wired. */
export type EndReason = 'done' | 'expired' | 'interrupted' | 'flooded' | 'failed'

/** How an attack is run. Everything has a default; without a target or `connect`, client actors cannot go anywhere. */
export interface RunOptions {
  readonly target?: Target
  /** By actor; the default is any free port of the loopback interface. */
  readonly listen?: Readonly<Record<string, Listen>>
  /** By actor. */
  readonly connect?: Readonly<Record<string, Connect>>
  /** Client actors that attack a server actor of the same document, by name. */
  readonly wire?: Readonly<Record<string, string>>
  /** Hosts that the document itself may have reached, beside loopback: `name` or `name:port`. */
  readonly allowHosts?: readonly string[]
  readonly limits?: Partial<RunLimits>
  /** What indicators may use; a CEL evaluator is there by default, a semantic one is not. */
  readonly evaluators?: AsyncEvaluators
  /** Stops the run; what was seen until then is judged. */
  readonly signal?: AbortSignal
  readonly onEvent?: (event: RunEvent) => void
  /** Gets every entry of the trace as it is recorded; `writeTrace` makes one for a file. */
  readonly trace?: TraceSink
  readonly clock?: Clock
  /** A fresh identifier, for sessions and ids that the document leaves out. */
  readonly newId?: () => string
}

/** The defaults with some of them replaced. What is no number is left out: it would switch the limit off. */
export function withRunLimits(changes: Partial<RunLimits> = {}): RunLimits {
  const numbers = Object.entries(changes).filter(([, value]) => typeof value === 'number' && value >= 0)
  return { ...defaultRunLimits, ...Object.fromEntries(numbers) }
}
