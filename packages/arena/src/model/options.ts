/** Options of a run, and their defaults. */

import type { Clock } from '@joust/io'
import type { AsyncEvaluators } from '@joust/oatf'
import type { PhaseVisit } from './actor-outcome.ts'
import type { RunDiagnostic } from './diagnostics.ts'
import type { RunLimits } from './limits.ts'
import type { Target } from './target.ts'
import type { TraceEntry } from './trace-entry.ts'
import type { Connect, Listen } from './wiring.ts'

/** What a run reports while it is under way. */
export type RunEvent =
  /** `alone` when no target will report how the actor is wired. */
  | { readonly kind: 'actor-ready'; readonly actor: string; readonly address?: string; readonly alone: boolean }
  | ({ readonly kind: 'phase-entered'; readonly actor: string } & PhaseVisit)
  | { readonly kind: 'message-recorded'; readonly entry: TraceEntry }
  | { readonly kind: 'diagnostic-reported'; readonly diagnostic: RunDiagnostic }
  | { readonly kind: 'target-started'; readonly target: string; readonly wiring: readonly string[] }
  | { readonly kind: 'grace-started'; readonly milliseconds: number }
  | { readonly kind: 'run-ended'; readonly reason: EndReason }

/** What one call of a model used, as far as its provider says. */
export interface CallUsage {
  readonly inputTokens: number
  readonly outputTokens: number
}

/** Where a trace goes as it grows. */
export interface TraceSink {
  write(entry: TraceEntry): void
  /** What went wrong; undefined as long as everything is written. */
  fault(): Error | undefined
}

/** Why a run ended: everything was done, a limit was reached, somebody stopped it, or it could not be wired. */
export const endReasons = ['done', 'expired', 'interrupted', 'flooded', 'failed'] as const

export type EndReason = (typeof endReasons)[number]

/** How an attack is run. Everything has a default; without a target or `connect`, client actors cannot go anywhere. */
export interface AttackOptions {
  readonly target?: Target
  /** By actor; the default is any free port of the loopback interface. */
  readonly listen?: Readonly<Record<string, Listen>>
  /** By actor. */
  readonly connect?: Readonly<Record<string, Connect>>
  /** Client actors that attack a server actor of the same document, by name. */
  readonly wire?: Readonly<Record<string, string>>
  /** The version of MCP that server actors speak where the document sets none, whatever the target says of itself. */
  readonly mcpVersion?: string
  /** Hosts that the document itself may reach besides loopback: `name` or `name:port`. */
  readonly allowHosts?: readonly string[]
  readonly limits?: Partial<RunLimits>
  /** What indicators may use; by default there is a CEL evaluator, but no semantic one. */
  readonly evaluators?: AsyncEvaluators
  /** Stops the run; what was seen until then is judged. */
  readonly signal?: AbortSignal
  readonly onEvent?: (event: RunEvent) => void
  /** Gets every entry of the trace as it is recorded; `writeTrace` makes one for a file. */
  readonly trace?: TraceSink
  /** Keep derived events of AG-UI from triggers and extractors. */
  readonly strict?: boolean
  readonly clock?: Clock
  /** A fresh identifier, for sessions and ids that the document leaves out. */
  readonly newId?: () => string
}
