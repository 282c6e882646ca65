import type { Clock } from '@joust/io'
import type { AsyncEvaluators } from '@joust/oatf'
import type { EndReason, KnownFacts, PhaseVisit, RunDiagnostic, TraceEntry, TraceSink } from '@joust/results'
import type { RunLimits } from './limits.ts'
import type { Target } from './target.ts'
import type { Through } from './through.ts'
import type { Connect, Listen } from './wiring.ts'

/** An event of a run. */
export type RunEvent =
  /** `alone`: the run has no target, so nothing else reports the actor's address. */
  | { readonly type: 'actor-ready'; readonly actor: string; readonly address?: string; readonly alone: boolean }
  | ({ readonly type: 'phase-entered'; readonly actor: string } & PhaseVisit)
  | { readonly type: 'message-recorded'; readonly entry: TraceEntry }
  | { readonly type: 'diagnostic-reported'; readonly diagnostic: RunDiagnostic }
  | { readonly type: 'target-started'; readonly target: string; readonly wiring: readonly string[] }
  | { readonly type: 'grace-started'; readonly milliseconds: number }
  | { readonly type: 'run-ended'; readonly reason: EndReason }

/** The token usage of one model call, as reported by the provider. */
export interface CallUsage {
  readonly inputTokens: number
  readonly outputTokens: number
}

/** A turn of a client actor: a phase whose actions are about to be sent. */
export interface Turn {
  readonly actor: string
  readonly phase: string
  /** The phase number, from 0. */
  readonly index: number
}

/**
 * Options of a run. All are optional, but client actors need a `target`, `connect` or `wire`.
 *
 * @example
 * const run = await runAttack(attack, { target, allowHosts: ['api.example.com'], limits: { graceMs: 1_000, runMs: 120_000 } })
 */
export interface AttackOptions {
  /**
   * The agent under attack, for example `commandTarget({ command: ['my-agent'] })` of `@joust/targets`.
   * @default none: actors are connected by `connect` and `wire`
   */
  readonly target?: Target
  /** Listen addresses by actor. @default a free loopback port */
  readonly listen?: Readonly<Record<string, Listen>>
  /** Endpoints of client actors by actor. @default {} */
  readonly connect?: Readonly<Record<string, Connect>>
  /** Server actors of the same document, by the client actor that attacks them. @default {} */
  readonly wire?: Readonly<Record<string, string>>
  /** Real MCP servers that actors of the same name overlay; only harmless or allowed calls reach them. @default none */
  readonly through?: Through
  /** The MCP version of actors if the document sets none. @default `mcpVersion` of the target */
  readonly mcpVersion?: string
  /** Hosts that the document may send requests to in addition to loopback: `name` or `name:port`. @default none */
  readonly allowHosts?: readonly string[]
  /** @default `defaultRunLimits` */
  readonly limits?: Partial<RunLimits>
  /** Evaluators of indicators. @default a CEL evaluator and no semantic evaluator */
  readonly evaluators?: AsyncEvaluators
  /** Stops the run; the trace up to that point is judged. @default never aborted */
  readonly signal?: AbortSignal
  /** Called with run events as they occur. @default none */
  readonly onEvent?: (event: RunEvent) => void
  /** Receives every trace entry as it is recorded; `writeTrace` writes a file. @default none: nothing is written */
  readonly trace?: TraceSink
  /** Exclude derived AG-UI events from triggers and extractors. @default false */
  readonly strict?: boolean
  /** Facts from outside the run, such as the channels that the preflight found. @default {} */
  readonly known?: KnownFacts
  /** A user question after the run, in the same conversation, instead of a postflight. @default the postflight */
  readonly lastQuestion?: string
  /** Returns text for the templates of a client actor, before each phase. @default none: all text is in the document */
  readonly improvise?: (turn: Turn) => Promise<Readonly<Record<string, string>>>
  /** @default the system clock */
  readonly clock?: Clock
  /** Generates session ids, and ids that the document omits. @default `crypto.randomUUID` */
  readonly newId?: () => string
}
