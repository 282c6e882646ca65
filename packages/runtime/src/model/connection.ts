/** Connections to MCP servers and remote agents. */
import type { Value, ValueRecord } from '@joust/source'

/** The result of a call, as data for the model. */
export interface Observation {
  readonly content: Value
  readonly isError: boolean
}

/** Creates an observation for an error message. */
export function errorObservation(message: string): Observation {
  return { content: message, isError: true }
}

/** A tool as an MCP server lists it. */
export interface McpTool {
  readonly name: string
  readonly description?: string
  readonly inputSchema: ValueRecord
  /** True if the annotations declare the tool read-only or idempotent. */
  readonly repeatable?: boolean
}

/** An open connection to an MCP server. Methods reject with a `RefusedAnswer` when a response is not accepted. */
export interface McpConnection {
  /** Instructions of the server; the model gets them under a separate heading. */
  readonly instructions?: string
  listTools(signal: AbortSignal): Promise<readonly McpTool[]>
  callTool(name: string, args: Value, signal: AbortSignal): Promise<Observation>
  /** Lists the resources; present if the server offers any. */
  listResources?(signal: AbortSignal): Promise<Value>
  readResource?(uri: string, signal: AbortSignal): Promise<Observation>
  /** Lists the prompts; present if the server offers any. */
  listPrompts?(signal: AbortSignal): Promise<Value>
  getPrompt?(name: string, args: ValueRecord, signal: AbortSignal): Promise<Observation>
  /** Calls the listener when the server reports a changed list of tools; returns a function that stops it. */
  onToolsChanged?(listener: () => void): () => void
  /** Reads the server information again; called before another run uses an idle connection. */
  refresh?(signal: AbortSignal): Promise<void>
  /** False once the connection is lost; the next run then opens a new one. */
  isOpen?(): boolean
  close(): Promise<void>
}

/** Answers a server request with a protocol result; undefined declines it. */
type RequestHandler = (params: ValueRecord, signal: AbortSignal) => Promise<ValueRecord | undefined>

/** Handlers for requests of an MCP server to its client. A missing handler is not announced as a capability. */
export interface McpHandlers {
  readonly sample?: RequestHandler
  readonly elicit?: RequestHandler
}

/** A skill as listed in the card of a remote agent. */
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

/** A message to a remote agent. */
export interface RemoteRequest {
  readonly text: string
  /** The conversation that the message continues. */
  readonly thread?: RemoteThread
  readonly skill?: string | undefined
  readonly inputModes?: readonly string[] | undefined
  readonly outputModes?: readonly string[] | undefined
}

/** An open connection to a remote agent. Methods reject with a `RefusedAnswer` when a response is not accepted. */
export interface RemoteAgentConnection {
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly skills: readonly RemoteSkill[]
  send(request: RemoteRequest, signal: AbortSignal): Promise<Observation>
  /** Reads the agent card again; called before another run uses the connection. */
  refresh?(signal: AbortSignal): Promise<void>
  isOpen?(): boolean
  close(): Promise<void>
}
