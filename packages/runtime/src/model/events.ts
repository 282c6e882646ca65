/** What happens during a run: a closed list of events, noun and verb. Every event survives JSON. */
import type { Value } from '@joust/source'
import type { RunError } from './errors.ts'

/** Tokens of one model call. */
export interface TokenUsage {
  readonly inputTokens: number
  readonly outputTokens: number
  /** Whether some of the tokens were estimated, because a provider reported none. */
  readonly estimated: boolean
}

/** What a run used. */
export interface Usage extends TokenUsage {
  readonly totalTokens: number
  readonly modelCalls: number
  readonly toolCalls: number
  readonly durationMs: number
}

/** Where in its policy a sub-agent runs. Counted from 0. */
export interface PolicyPlace {
  readonly alias?: string
  readonly step?: number
  readonly iteration?: number
  readonly item?: number
  /** The id of the call by which a model started it. */
  readonly call?: string
}

/** A tool call as a model asked for it: its arguments are text that may or may not be JSON. */
export interface AskedCall {
  readonly id: string
  readonly name: string
  readonly arguments: string
}

/** What a warning is about. */
export type WarningCode =
  | 'max_iterations_reached'
  | 'batch_truncated'
  | 'policy_unresolved'
  | 'condition_unevaluable'
  | 'template_value_missing'
  | 'tool_not_offered'
  | 'server_failed'
  | 'tokens_estimated'
  | 'observation_cut'
  | 'memory_failed'
  | 'audit_failed'
  | 'journal_left'

/** An event without the fields that the context adds. */
export type EventBody =
  | { readonly type: 'run-started'; readonly name: string; readonly input: Value }
  /** This many steps are replayed from the journal, in the events that follow. */
  | { readonly type: 'run-resumed'; readonly steps: number; readonly finished: boolean }
  | { readonly type: 'run-finished'; readonly output: Value | null; readonly usage: Usage }
  | { readonly type: 'run-failed'; readonly error: RunError; readonly usage: Usage }
  | { readonly type: 'agent-started'; readonly id: string; readonly policy: string; readonly input: Value }
  | { readonly type: 'agent-finished'; readonly output: Value | null }
  | { readonly type: 'agent-failed'; readonly error: RunError }
  | ({ readonly type: 'step-started' } & PolicyPlace)
  | ({ readonly type: 'step-finished' } & PolicyPlace)
  | {
      readonly type: 'model-called'
      readonly model: string
      /** Absent when a server asked for the call. */
      readonly step?: number
      readonly attempt: number
      readonly tools: readonly string[]
    }
  | {
      readonly type: 'model-answered'
      readonly model: string
      readonly step?: number
      /** Ties the streamed text to its answer. */
      readonly message: string
      readonly text: string
      readonly calls: readonly AskedCall[]
      readonly usage: TokenUsage
      /** Why it ended: a word that all providers share, or else the provider's own. */
      readonly finish: string
    }
  | {
      readonly type: 'model-failed'
      readonly model: string
      readonly step?: number
      readonly attempt: number
      readonly reason: string
      /** When it will be asked again; absent when it will not be. */
      readonly retryInMs?: number
    }
  | { readonly type: 'model-text'; readonly message: string; readonly step?: number; readonly delta: string }
  | {
      readonly type: 'tool-called'
      readonly call: string
      readonly name: string
      readonly kind: CallableKind
      readonly args: Value
    }
  | { readonly type: 'tool-answered'; readonly call: string; readonly name: string; readonly content: Value }
  | { readonly type: 'tool-failed'; readonly call: string; readonly name: string; readonly content: Value }
  | {
      /** The agent's own client did not accept what a peer answered, so the agent has not seen it. */
      readonly type: 'answer-refused'
      readonly peer: 'mcp' | 'remote'
      readonly alias: string
      readonly operation: string
      readonly message: string
    }
  | {
      readonly type: 'approval-asked'
      readonly kind: ApprovalKind
      readonly target: string
      readonly message: string
      readonly args: Value
      readonly reasons: readonly string[]
    }
  | {
      readonly type: 'approval-answered'
      readonly kind: ApprovalKind
      readonly target: string
      readonly approved: boolean
      readonly reason?: string
    }
  | ({ readonly type: 'delegation-started'; readonly to: 'local' | 'remote'; readonly alias: string } & PolicyPlace)
  | ({
      readonly type: 'delegation-finished'
      readonly to: 'local' | 'remote'
      readonly alias: string
      readonly ok: boolean
    } & PolicyPlace)
  | {
      readonly type: 'limit-reached'
      readonly limit: string
      readonly owner: readonly string[]
      readonly max: number
      readonly used: number
    }
  | { readonly type: 'warning'; readonly code: WarningCode; readonly message: string }

/** What an approval is asked for. */
export type ApprovalKind = 'tool' | 'mcp_tool' | 'agent' | 'remote_agent' | 'skill' | 'sampling'

/** An event of a run. */
export type RunEvent = EventBody & {
  readonly run: string
  /** Milliseconds since 1970, by the runtime's clock. */
  readonly at: number
  /** Aliases from the root to the agent it happened in. */
  readonly agent: readonly string[]
}

/** Receives events. What it throws is dropped: watching never breaks a run. */
export type EventListener = (event: RunEvent) => void

/** What is behind a name that a model can call. */
export type CallableKind = 'local' | 'mcp' | 'agent' | 'remote'
