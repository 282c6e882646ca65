/** Run events: a closed list with noun-verb names. All events can be serialized as JSON. */
import type { Value } from '@joust/source'
import type { RunError } from './errors.ts'

/** Tokens used by one model call. */
export interface TokenUsage {
  readonly inputTokens: number
  readonly outputTokens: number
  /** True if some of the tokens were estimated because the provider reported none. */
  readonly estimated: boolean
}

/** Resources used by a run. */
export interface Usage extends TokenUsage {
  readonly totalTokens: number
  readonly modelCalls: number
  readonly toolCalls: number
  readonly durationMs: number
}

/** The position of a sub-agent call in its policy; counts start at 0. */
export interface PolicyPlace {
  readonly alias?: string
  readonly step?: number
  readonly iteration?: number
  readonly item?: number
  /** The id of the model's tool call that started the sub-agent. */
  readonly call?: string
}

/** A tool call requested by a model. `arguments` may not be valid JSON. */
export interface RequestedCall {
  readonly id: string
  readonly name: string
  readonly arguments: string
}

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
  | 'approval_unavailable'

export type EventBody =
  | { readonly type: 'run-started'; readonly name: string; readonly input: Value }
  /** `steps` is the number of steps that the following events replay from the journal. */
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
      /** Absent if a server requested the call. */
      readonly step?: number
      readonly attempt: number
      readonly tools: readonly string[]
    }
  | {
      readonly type: 'model-answered'
      readonly model: string
      readonly step?: number
      /** The id of the answer; also in its `model-text` events. */
      readonly message: string
      readonly text: string
      readonly calls: readonly RequestedCall[]
      readonly usage: TokenUsage
      /** The finish reason: a common term if one exists, otherwise the provider's own. */
      readonly finish: string
      /** True if a guardrail checks the output. Servers then do not send the text to clients. */
      readonly withheld?: true
    }
  | {
      readonly type: 'model-failed'
      readonly model: string
      readonly step?: number
      readonly attempt: number
      readonly reason: string
      /** The delay before the retry; absent if the call is not retried. */
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
      /** A response from a peer was rejected, so the agent has not seen it. */
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

/** Kinds of calls that can require approval. */
export type ApprovalKind = 'tool' | 'mcp_tool' | 'agent' | 'remote_agent' | 'skill' | 'sampling'

/** An event of a run. */
export type RunEvent = EventBody & {
  readonly run: string
  /** Milliseconds since 1970, by the runtime clock. */
  readonly at: number
  /** Aliases from the root to the agent. */
  readonly agent: readonly string[]
  /**
   * The number of the agent execution, prefixed with its callers' numbers, such as `1.2.5`. Distinguishes concurrent
   * executions, such as batch items. Absent for events of the run itself.
   */
  readonly execution?: string
}

/** Receives events. Exceptions are ignored, so that a listener cannot stop a run. */
export type EventListener = (event: RunEvent) => void

export type CallableKind = 'local' | 'mcp' | 'agent' | 'remote'
