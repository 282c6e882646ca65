/** The user's real MCP servers, which the actors of an attack overlay. */
import type { ThroughCall } from '@joust/results'
import type { Result, Value } from '@joust/source'

/** A server: a command or an address, with variables filled in. */
export interface PlainAddress {
  readonly command?: readonly string[]
  readonly url?: string
  readonly env?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly cwd?: string
}

/** A tool as a server lists it. */
export interface RealTool {
  readonly name: string
  readonly [field: string]: Value | undefined
}

/** A recorded answer from a tool. */
export interface RecordedAnswer {
  readonly tool: string
  readonly arguments?: Value
  readonly result: Value
}

/** A real server, with its tools. */
export interface RealServer extends PlainAddress {
  /** The name of the server for the agent. */
  readonly name: string
  /** The tools that it listed before the first run. A tool that it lists later is unknown, so its calls are held back. */
  readonly tools: readonly RealTool[]
  /** Answers to calls that are held back. @default [] */
  readonly answers?: readonly RecordedAnswer[]
}

/** The real servers of a run. */
export interface Through {
  readonly servers: readonly RealServer[]
  /** The tools whose calls are passed on although they do not only read: `TOOL` or `SERVER/TOOL`. @default [] */
  readonly allow?: readonly string[]
}

/** The decision about the calls to a tool. */
export interface ToolDecision {
  readonly tool: string
  readonly isPassed: boolean
  /** The reason for the decision, as a clause such as `it is a sink`. */
  readonly reason: string
  /** True if a call that is passed on may change something. */
  readonly mayChange: boolean
}

/** An answer for the agent; `json` is the result or the error as the real server wrote it. */
export type RealReply = ({ readonly result: Value } | { readonly error: Value }) & { readonly json?: string }

/** A request from the agent to a real server. */
export interface RealRequest {
  readonly method: string
  readonly params: Value
  /** The params as the agent wrote them. */
  readonly json: string
  /** Fires when the agent cancels the request. */
  readonly cancel: AbortSignal
}

/** The messages from a real server. */
export interface RealListener {
  /** A notification. */
  notified(method: string, params: Value): void
  /** A request to the client; resolves with its answer. */
  asked(method: string, params: Value): Promise<RealReply>
}

/** The real server behind an actor. Every message to it passes here, so that none is sent without a decision. */
export interface RealSide {
  readonly server: string
  /** The definition of a tool, as listed before the first run. */
  tool(name: string): RealTool | undefined
  /** Starts a command, so that it is ready when the agent connects. */
  start(): void
  /** Sets the receiver of messages, before the first request. */
  hear(listener: RealListener): void
  /** The answer to the handshake; the params of the client open the connection. */
  greet(client: Value | undefined): Promise<Result<RealReply, string>>
  /** Passes on a read-only request; undefined if it is held back. */
  read(request: RealRequest): Promise<RealReply | undefined>
  /**
   * Passes on a call to a tool, or answers it in place of the server. `lay` changes the result, unless it is an error;
   * undefined leaves it.
   */
  call(tool: string, request: RealRequest, lay?: (result: Value) => Value | undefined): Promise<RealReply>
  /** Counts a call that the document answers in place of the server. */
  answeredByDocument(tool: string): void
  /** A harmless value that fits the output schema of a tool. */
  harmless(tool: string, schema: Value): Value
  /** The calls so far. */
  calls(): readonly ThroughCall[]
  close(): Promise<void>
}
