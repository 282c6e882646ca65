/** What a host binds to the aliases of an agent. */
import type { Value, ValueRecord } from '@joust/source'
import type { McpConnection, McpHandlers, RemoteAgentConnection } from './connection.ts'

/** A function for a `local_tools` alias. */
export interface LocalTool {
  readonly description?: string
  /** Arguments that do not fit are refused before the function is called. Default: any object. */
  readonly inputSchema?: ValueRecord
  /** Whether a call may be repeated when its outcome is not known. Default: it may not. */
  readonly repeatable?: boolean
  call(args: Value, context: { readonly signal: AbortSignal }): Promise<Value> | Value
}

/** What every binding may say. */
interface PeerBinding {
  /** How long one request may take, in milliseconds; default 60,000 for a server, 120,000 for a remote agent. */
  readonly timeoutMs?: number
  /** Texts that no message may show. The values of `env` and `headers` are among them without being listed. */
  readonly secrets?: readonly string[]
}

/** An MCP server as a process that speaks over its standard streams. */
export interface CommandBinding extends PeerBinding {
  readonly command: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** Whether it runs in the user's own home rather than in an empty one. */
  readonly useHome?: boolean
}

/** An MCP server or a remote agent at an address. */
export interface UrlBinding extends PeerBinding {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /** How it is reached; default: over the network. For peers in memory, and for proxies. */
  readonly fetch?: typeof fetch
}

/** An MCP server; `connect` is for hosts with a transport of their own. */
export type McpBinding = CommandBinding | UrlBinding | { connect(handlers: McpHandlers): Promise<McpConnection> }

/** A remote agent; `connect` is for hosts with a transport of their own. */
export type RemoteAgentBinding = UrlBinding | { connect(): Promise<RemoteAgentConnection> }
