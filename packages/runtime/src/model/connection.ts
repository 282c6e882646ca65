/** Connections to the outside: what the runtime needs of an MCP server and of a remote agent. */
import type { Value, ValueRecord } from '@joust/source'

/** What a call returned, as data for the model. */
export interface Observation {
  readonly content: Value
  readonly isError: boolean
}

/** An observation that says what went wrong. */
export function errorObservation(message: string): Observation {
  return { content: message, isError: true }
}

/** A tool as an MCP server lists it. */
export interface McpTool {
  readonly name: string
  readonly description?: string
  readonly inputSchema: ValueRecord
  /** Whether its annotations say that it only reads, or that calling it twice is the same as calling it once. */
  readonly repeatable?: boolean
}

/** An open connection to an MCP server. Rejects with a `RefusedAnswer` when it does not accept an answer. */
export interface McpConnection {
  /** What the server says about itself; reaches the model under a heading of its own. */
  readonly instructions?: string
  listTools(signal: AbortSignal): Promise<readonly McpTool[]>
  callTool(name: string, args: Value, signal: AbortSignal): Promise<Observation>
  /** Present when the server offers resources. */
  listResources?(signal: AbortSignal): Promise<Value>
  readResource?(uri: string, signal: AbortSignal): Promise<Observation>
  /** Present when the server offers prompts. */
  listPrompts?(signal: AbortSignal): Promise<Value>
  getPrompt?(name: string, args: ValueRecord, signal: AbortSignal): Promise<Observation>
  /** Calls the listener when the server says that its list of tools changed; returns how to stop. */
  onToolsChanged?(listener: () => void): () => void
  /** Finds out again what the server says of itself; called before another run uses it, while nobody does. */
  refresh?(signal: AbortSignal): Promise<void>
  /** False once the connection is lost; the next run then opens another. */
  isOpen?(): boolean
  close(): Promise<void>
}

/** Answers a question of a server with a result of the protocol; undefined declines. */
type AnswerQuestion = (params: ValueRecord, signal: AbortSignal) => Promise<ValueRecord | undefined>

/** What an MCP server may ask of its client. One that is absent has nobody behind it, and is not announced. */
export interface McpHandlers {
  readonly sample?: AnswerQuestion
  readonly elicit?: AnswerQuestion
}

/** A skill as a remote agent's card lists it. */
export interface RemoteSkill {
  readonly id: string
  readonly name?: string | undefined
  readonly description?: string | undefined
}

/** A conversation with a remote agent, kept by the caller and updated by the connection. */
export interface RemoteThread {
  contextId?: string
  /** The task that is waiting for the next message. */
  taskId?: string
}

/** A message to a remote agent. */
export interface RemoteRequest {
  readonly text: string
  /** The conversation that it continues. */
  readonly thread?: RemoteThread
  readonly skill?: string | undefined
  readonly inputModes?: readonly string[] | undefined
  readonly outputModes?: readonly string[] | undefined
}

/** An open connection to a remote agent. Rejects with a `RefusedAnswer` when it does not accept an answer. */
export interface RemoteAgentConnection {
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly skills: readonly RemoteSkill[]
  send(request: RemoteRequest, signal: AbortSignal): Promise<Observation>
  /** Reads again what the agent says of itself; called before another run uses the connection. */
  refresh?(signal: AbortSignal): Promise<void>
  isOpen?(): boolean
  close(): Promise<void>
}
