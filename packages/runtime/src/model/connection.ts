import type { Value, ValueRecord } from '@joust/source'

/** The result of a call, as shown to the model. */
export interface Observation {
  readonly content: Value
  readonly isError: boolean
}

export function errorObservation(message: string): Observation {
  return { content: message, isError: true }
}

/** A tool listed by an MCP server. */
export interface McpTool {
  readonly name: string
  readonly description?: string
  readonly inputSchema: ValueRecord
  /** True if annotations declare the tool read-only or idempotent. */
  readonly repeatable?: boolean
}

/** An open connection to an MCP server. Methods reject with `RefusedAnswer` if a response is invalid. */
export interface McpConnection {
  /** Server instructions, which the model gets under a separate heading. */
  readonly instructions?: string
  listTools(signal: AbortSignal): Promise<readonly McpTool[]>
  callTool(name: string, args: Value, signal: AbortSignal): Promise<Observation>
  /** Absent if the server has no resources. */
  listResources?(signal: AbortSignal): Promise<Value>
  readResource?(uri: string, signal: AbortSignal): Promise<Observation>
  /** Absent if the server has no prompts. */
  listPrompts?(signal: AbortSignal): Promise<Value>
  getPrompt?(name: string, args: ValueRecord, signal: AbortSignal): Promise<Observation>
  /** Registers a listener for changes of the tool list; returns a function that removes it. */
  onToolsChanged?(listener: () => void): () => void
  /** Reloads the server information. Called before a new run uses an idle connection. */
  refresh?(signal: AbortSignal): Promise<void>
  /** False once the connection is lost; the next run then opens a new one. */
  isOpen?(): boolean
  close(): Promise<void>
}

/** Handles a server request and returns the protocol result; undefined declines it. */
type RequestHandler = (params: ValueRecord, signal: AbortSignal) => Promise<ValueRecord | undefined>

/** Handlers for requests from an MCP server. Capabilities without a handler are not announced. */
export interface McpHandlers {
  readonly sample?: RequestHandler
  readonly elicit?: RequestHandler
}

/** A skill in a remote agent's card. */
export interface RemoteSkill {
  readonly id: string
  readonly name?: string | undefined
  readonly description?: string | undefined
}

/** A conversation with a remote agent, owned by the caller and updated by the connection. */
export interface RemoteThread {
  contextId?: string
  /** The task that is waiting for the next message. */
  taskId?: string
}

export interface RemoteRequest {
  readonly text: string
  readonly thread?: RemoteThread
  readonly skill?: string | undefined
  readonly inputModes?: readonly string[] | undefined
  readonly outputModes?: readonly string[] | undefined
}

/** An open connection to a remote agent. Methods reject with `RefusedAnswer` if a response is invalid. */
export interface RemoteAgentConnection {
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly skills: readonly RemoteSkill[]
  send(request: RemoteRequest, signal: AbortSignal): Promise<Observation>
  /** Reloads the agent card. Called before a new run uses the connection. */
  refresh?(signal: AbortSignal): Promise<void>
  isOpen?(): boolean
  close(): Promise<void>
}
