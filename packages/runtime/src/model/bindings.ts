/** Host bindings for the aliases of an agent. */
import type { Value, ValueRecord } from '@joust/source'
import type { McpConnection, McpHandlers, RemoteAgentConnection } from './connection.ts'

/** The implementation of a local tool. */
export type ToolFunction = (args: Value, context: ToolContext) => Promise<Value> | Value

/** The second argument of a tool. */
export interface ToolContext {
  readonly signal: AbortSignal
}

/**
 * An implementation of a local tool, with its description and schema. `tool` creates one with typed arguments.
 *
 * @example
 * const inputSchema = { type: 'object', properties: { number: { type: 'integer' } } }
 * const runtime = createRuntime({ tools: { find_order: { inputSchema, call: () => 'on its way' } } })
 */
export interface LocalTool {
  readonly description?: string
  /** Arguments that do not match are rejected before the function is called. @default any object */
  readonly inputSchema?: ValueRecord
  /** Allows repeating a call whose outcome is unknown. @default false */
  readonly repeatable?: boolean
  readonly call: ToolFunction
  /** Excludes functions, which also have a method `call`. */
  readonly apply?: never
}

interface PeerBinding {
  /** Timeout of one request in milliseconds. @default 60,000 for a server, 120,000 for a remote agent */
  readonly timeoutMs?: number
  /** Strings that are redacted in all messages, in addition to the values of `env` and `headers`. */
  readonly secrets?: readonly string[]
}

/** An MCP server process that communicates over its standard streams. */
export interface CommandBinding extends PeerBinding {
  readonly command: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** Runs the process in the user's home directory instead of an empty one. @default false */
  readonly useHome?: boolean
}

/** An MCP server or a remote agent at a URL. */
export interface UrlBinding extends PeerBinding {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /** Replaces the global `fetch`, for in-memory peers and proxies. */
  readonly fetch?: typeof fetch
}

/** An MCP server. Hosts with their own transport implement `connect`. */
export type McpBinding = CommandBinding | UrlBinding | { connect(handlers: McpHandlers): Promise<McpConnection> }

/** A remote agent. Hosts with their own transport implement `connect`. */
export type RemoteAgentBinding = UrlBinding | { connect(): Promise<RemoteAgentConnection> }
