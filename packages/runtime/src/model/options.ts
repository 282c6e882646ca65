/** Options for a runtime and of a run. */
import type { Agent, Budget, RunLimits } from '@joust/agentformat'
import type { Clock } from '@joust/io'
import type { Value, ValueRecord } from '@joust/source'
import type { Approver } from './approval.ts'
import type { LocalTool, McpBinding, RemoteAgentBinding, ToolFunction } from './bindings.ts'
import type { ClientTool, ClientToolCall, ConversationMessage } from './conversation.ts'
import type { EventListener, Usage, WarningCode } from './events.ts'
import type { GovernanceProvider } from './governance.ts'
import type { JournalOptions } from './journal.ts'
import type { EarlierLanguageModel, LanguageModel, ModelCall } from './language-model.ts'
import type { MemoryProvider } from './memory.ts'

/** A model on an OpenAI-compatible server. */
export interface ServedModel {
  readonly baseURL: string
  readonly apiKey?: string
  readonly model: string
}

/** A model of the AI SDK (provider interface version 3 or 4), a model reference (`provider/model`), or a server. */
export type ModelBinding = LanguageModel | EarlierLanguageModel | string | ServedModel

/** Resolves a model reference; undefined falls back to the built-in providers. */
export type ModelResolver = (
  reference: string,
  agent: Agent,
) => ModelBinding | undefined | Promise<ModelBinding | undefined>

/** The transport of model calls, for recordings. Simulated and bound models do not use it. */
export interface ModelTransport {
  readonly fetch: typeof fetch
  /** False if no request reaches a provider. Then models need neither a key nor a base URL. */
  readonly isLive: boolean
}

/** A finished attempt at a model call. */
export interface FinishedModelCall {
  /** `provider/model`. */
  readonly model: string
  /** The prompt and the tools, as passed to the model. */
  readonly call: Pick<ModelCall, 'prompt' | 'tools'>
  /** Milliseconds since 1970, by the runtime clock. */
  readonly started: number
  readonly duration: number
  readonly answer:
    | {
        readonly text: string
        readonly calls: readonly { readonly id: string; readonly name: string; readonly arguments: string }[]
        /** The finish reason; only `stop` and `tool-calls` are complete. */
        readonly finish: string
        readonly inputTokens: number
        readonly outputTokens: number
      }
    | {
        readonly error: string
        /** True if the provider's filter rejected the request. */
        readonly filtered?: true
      }
}

/** Outputs passed to a transform, in order. For a loop, the outputs of its last iteration. */
export type TransformInput = readonly { readonly agent: string; readonly index: number; readonly output: Value }[]

/** A function that implements a `custom_transform`. */
export type Transform = (outputs: TransformInput) => Promise<Value> | Value

/** Arguments passed to a vendor policy. */
export interface VendorCall {
  readonly agent: Agent
  readonly config: ValueRecord
  readonly input: Value
  readonly signal: AbortSignal
  delegate(alias: string, input: Value): Promise<Value>
}

/** A policy with an `x-` id. The output is validated. May reject with a `RunFailure`. */
export type VendorPolicy = (call: VendorCall) => Promise<Value>

/** Handles a request from an MCP server; undefined declines it. */
export type McpRequestHandler = (
  params: ValueRecord,
  request: { readonly server: string; readonly signal: AbortSignal },
) => Promise<ValueRecord | undefined> | ValueRecord | undefined

/** Timeouts of single operations in milliseconds. */
export interface Timeouts {
  /** Timeout of a model call attempt, and between parts of a stream. @default 300_000 */
  readonly modelMs?: number
  /** Timeout of a call to a tool or remote agent. @default 120_000 */
  readonly toolMs?: number
  /** Timeout of opening a connection, querying the registry or calling the host's model resolver. @default 30_000 */
  readonly connectMs?: number
}

/**
 * Options for a runtime.
 *
 * @example
 * const runtime = createRuntime({
 *   models: { 'openai/gpt-5': model },
 *   tools: { add: tool({ schema, call: ({ a, b }) => a + b }) },
 *   limits: { max_llm_calls: 20 },
 *   approve: ({ target }) => ({ approved: target === 'add' }),
 * })
 */
export interface RuntimeOptions {
  /**
   * Models by reference as in the document (`provider/model` or `model`), or a function that resolves references.
   * @default {}
   */
  readonly models?: ModelResolver | Readonly<Record<string, ModelBinding>>
  /** Replaces the transport of calls to model providers. @default HTTP with `fetch` */
  readonly modelTransport?: ModelTransport
  /** Local tools by alias. @default {} */
  readonly tools?: Readonly<Record<string, LocalTool | ToolFunction>>
  /** MCP servers by alias or `server_ref`. @default {} */
  readonly mcpServers?: Readonly<Record<string, McpBinding>>
  /** Remote agents by alias. @default {} */
  readonly remoteAgents?: Readonly<Record<string, RemoteAgentBinding>>
  /** Vendor policies by id. Ids begin with `x-`. @default {} */
  readonly policies?: Readonly<Record<string, VendorPolicy>>
  /** Implementations of `custom_transform`, by name. @default {} */
  readonly transforms?: Readonly<Record<string, Transform>>
  /** Decides on approval requests. @default none: runs that need approval fail */
  readonly approve?: Approver
  /** Resolves governance policies. @default none */
  readonly governance?: GovernanceProvider
  /** Stores and recalls earlier turns. @default none */
  readonly memory?: MemoryProvider
  /** Called with the events of all runs. @default none */
  readonly onEvent?: EventListener
  /** Called after each attempt at a model call, to observe prompts. @default none */
  readonly onModelCall?: (call: FinishedModelCall) => void
  /**
   * Handles sampling requests from MCP servers.
   *
   * @default the agent's own model answers after approval; without `approve`, sampling is not announced to servers
   */
  readonly onSampling?: McpRequestHandler
  /** Handles elicitation requests from MCP servers. @default elicitation is not announced to servers */
  readonly onElicitation?: McpRequestHandler
  /**
   * Host limits for every run. They can only tighten the document's limits.
   *
   * @default only the document's limits
   * @example { max_llm_calls: 20, max_duration_seconds: 60 }
   */
  readonly limits?: Budget & RunLimits
  /** Timeouts of single operations, independent of the run's time limit. @default {} */
  readonly timeouts?: Timeouts
  /** Retries per model call after temporary errors; timeouts are retried at most once. @default 3 */
  readonly modelRetries?: number
  /** Number of batch items processed concurrently. @default 1 */
  readonly batchConcurrency?: number
  /** Number of concurrent tool calls per model answer. @default 8 */
  readonly callConcurrency?: number
  /** Behavior if a merge finds different values for the same key; `error` fails the run. @default 'error' */
  readonly mergeCollision?: 'error' | 'last'
  /** Behavior if a condition cannot be evaluated; `require` requests approval. @default 'require' */
  readonly approvalOnUnevaluable?: 'require' | 'no-match'
  /** False rejects agents with `tighten_only_invariant: false`. @default true */
  readonly allowLiftedInvariant?: boolean
  /** Clock for time limits and timeouts. @default the system clock */
  readonly clock?: Clock
  /** Returns a number from 0 (inclusive) to 1 (exclusive). @default `Math.random` */
  readonly random?: () => number
  /** Environment variables for API keys and base URLs. @default `process.env` */
  readonly env?: Readonly<Record<string, string | undefined>>
}

/**
 * Options of one run.
 *
 * @example
 * const runtime = createRuntime()
 * const result = await runtime.run(loadedAgent.agent, 'Where is order 7?', { signal: AbortSignal.timeout(60_000) })
 */
export interface RunOptions {
  /** Cancels the run. @default never aborted */
  readonly signal?: AbortSignal | undefined
  /** The scope of the agent's memory, such as a user name. @default none: agents that require memory are rejected */
  readonly memoryScope?: string | undefined
  /** @default [] */
  readonly conversation?: readonly ConversationMessage[]
  /** @default [] */
  readonly clientTools?: readonly ClientTool[]
  /** Client context for the prompt, as in AG-UI. @default none */
  readonly context?: Value
  /** Client state for the prompt, as in AG-UI. @default none */
  readonly state?: Value
  /** Streams model text in `model-text` events. @default true with a conversation */
  readonly stream?: boolean
  /** Called with the events of the run. @default none */
  readonly onEvent?: EventListener
  /** Decides on approval requests. @default the runtime's approver */
  readonly approve?: Approver
  /** Records the run, so that it can be resumed or replayed. @default none */
  readonly journal?: JournalOptions
}

/** A problem that did not fail the run. */
export interface RunWarning {
  readonly code: WarningCode
  readonly message: string
  readonly agent: readonly string[]
}

/** The result of a successful run. */
export interface RunResult {
  readonly output: Value
  readonly usage: Usage
  readonly warnings: readonly RunWarning[]
}

/** The result of a run with client tools: an output, or calls to those tools. */
export type ServedResult =
  | (RunResult & { readonly clientToolCalls?: never })
  | (Omit<RunResult, 'output'> & { readonly output?: never; readonly clientToolCalls: readonly ClientToolCall[] })
