/** What a host gives to a runtime and to a run. */

import type { Agent, Budget, RunLimits } from '@joust/agentformat'
import type { Clock } from '@joust/io'
import type { Value, ValueRecord } from '@joust/source'
import type { Approver } from './approval.ts'
import type { LocalTool, McpBinding, RemoteAgentBinding } from './bindings.ts'
import type { ClientTool, ClientToolCall, ConversationMessage } from './conversation.ts'
import type { EventListener, Usage, WarningCode } from './events.ts'
import type { GovernanceProvider } from './governance.ts'
import type { JournalOptions } from './journal.ts'
import type { LanguageModel } from './language-model.ts'
import type { MemoryProvider } from './memory.ts'

/** A model, or the reference of one (`provider/model`). */
export type ModelBinding = LanguageModel | string

/** Chooses the model for a reference; undefined leaves it to the providers that are built in. */
export type ModelResolver = (
  reference: string,
  agent: Agent,
) => ModelBinding | undefined | Promise<ModelBinding | undefined>

/** The outputs that a transform gets, in order; for a loop, those of the last iteration. */
export type TransformInput = readonly { readonly agent: string; readonly index: number; readonly output: Value }[]

/** A function behind `custom_transform`. */
export type Transform = (outputs: TransformInput) => Promise<Value> | Value

/** What a vendor policy gets. */
export interface VendorCall {
  readonly agent: Agent
  readonly config: ValueRecord
  readonly input: Value
  readonly signal: AbortSignal
  delegate(alias: string, input: Value): Promise<Value>
}

/** A policy with an `x-` id. Its result is validated like any other; it may reject with a `RunFailure`. */
export type VendorPolicy = (call: VendorCall) => Promise<Value>

/** Answers an MCP server's question: the parameters of the request, and who is asking. Undefined declines. */
export type McpRequestHandler = (
  params: ValueRecord,
  request: { readonly server: string; readonly signal: AbortSignal },
) => Promise<ValueRecord | undefined> | ValueRecord | undefined

/** How long single calls may take, in milliseconds. */
export interface Timeouts {
  /** One attempt of a model; default 5 minutes. */
  readonly modelMs?: number
  /** One call of a tool, a remote agent included; default 2 minutes. */
  readonly toolMs?: number
  /** Opening a connection, asking the registry or the host for a model; default 30 seconds. */
  readonly connectMs?: number
}

/** What a host gives to a runtime. */
export interface RuntimeOptions {
  /** By reference as the document spells it (`provider/model` or `model`), or a function. */
  readonly models?: ModelResolver | Readonly<Record<string, ModelBinding>>
  /** By alias; a function is a tool that takes any object. */
  readonly tools?: Readonly<Record<string, LocalTool>>
  /** By alias or `server_ref`. */
  readonly mcpServers?: Readonly<Record<string, McpBinding>>
  /** By alias. */
  readonly remoteAgents?: Readonly<Record<string, RemoteAgentBinding>>
  readonly policies?: Readonly<Record<string, VendorPolicy>>
  readonly transforms?: Readonly<Record<string, Transform>>
  readonly approve?: Approver
  readonly governance?: GovernanceProvider
  readonly memory?: MemoryProvider
  readonly onEvent?: EventListener
  /** Default: answered by the agent's own model, after approval; servers are not told of it without `approve`. */
  readonly onSampling?: McpRequestHandler
  /** Default: servers are told that nobody can be asked. */
  readonly onElicitation?: McpRequestHandler
  /** Limits of the host for every run; they only tighten. */
  readonly limits?: Budget & RunLimits
  /** How long single calls may take, apart from the deadline of the run. */
  readonly timeouts?: Timeouts
  /** How many items of a batch run side by side; default 1. */
  readonly batchConcurrency?: number
  /** How many calls of one answer of a model run side by side; default 8. */
  readonly callConcurrency?: number
  /** Default `error`: different values under one key fail the merge. */
  readonly mergeCollision?: 'error' | 'last'
  /** Default `require`: a condition that cannot be judged asks. */
  readonly approvalOnUnevaluable?: 'require' | 'no-match'
  /** False refuses agents with `tighten_only_invariant: false`. */
  readonly allowLiftedInvariant?: boolean
  readonly clock?: Clock
  /** A number from 0 up to 1. */
  readonly random?: () => number
  /** Where keys and base addresses are looked up. */
  readonly env?: Readonly<Record<string, string | undefined>>
}

/** What a host gives to one run. */
export interface RunOptions {
  readonly signal?: AbortSignal | undefined
  readonly memoryScope?: string | undefined
  readonly conversation?: readonly ConversationMessage[]
  readonly clientTools?: readonly ClientTool[]
  readonly context?: Value
  readonly state?: Value
  /** Whether models stream their text in `model-text` events; default: only with a conversation. */
  readonly stream?: boolean
  readonly onEvent?: EventListener
  /** Keeps what the run does, so that one that was killed continues where it was, and one that finished is replayed. */
  readonly journal?: JournalOptions
}

/** Something that the user of an agent should know although the run went well. */
export interface RunWarning {
  readonly code: WarningCode
  readonly message: string
  readonly agent: readonly string[]
}

/** The outcome of a run. */
export interface RunResult {
  readonly output: Value
  readonly usage: Usage
  readonly warnings: readonly RunWarning[]
}

/** The outcome of a run that was given tools of a client: an output, or calls of those tools. */
export type ServedResult =
  | (RunResult & { readonly clientToolCalls?: never })
  | (Omit<RunResult, 'output'> & { readonly output?: never; readonly clientToolCalls: readonly ClientToolCall[] })
