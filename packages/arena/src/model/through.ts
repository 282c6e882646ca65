/** The user's real MCP servers, which actors overlay. */
import type { ThroughCall } from '@joust/results'
import type { Result, Value } from '@joust/source'

/** A server command or URL, with variables filled in. */
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

/** A recorded tool result. */
export interface RecordedAnswer {
  readonly tool: string
  readonly arguments?: Value
  readonly result: Value
}

/** A real server, with its tools. */
export interface RealServer extends PlainAddress {
  /** The server name that the agent sees. */
  readonly name: string
  /** The tools listed before the first run. A tool listed later is unknown, so its calls are held back. */
  readonly tools: readonly RealTool[]
  /** Recorded results for calls that are held back. @default [] */
  readonly answers?: readonly RecordedAnswer[]
}

/** The real servers of a run. */
export interface Through {
  readonly servers: readonly RealServer[]
  /** Tools whose calls are passed on although they do more than read: `TOOL` or `SERVER/TOOL`. @default [] */
  readonly allow?: readonly string[]
}

/** The decision whether calls to a tool reach the real server. */
export interface ToolDecision {
  readonly tool: string
  readonly isPassed: boolean
  /** The reason as a clause, such as `it is a sink`. */
  readonly reason: string
  /** True if a call that is passed on may change something. */
  readonly mayChange: boolean
}

/** A response for the agent; `json` is the result or the error as the real server wrote it. */
export type RealReply = ({ readonly result: Value } | { readonly error: Value }) & { readonly json?: string }

export interface RealRequest {
  readonly method: string
  readonly params: Value
  /** The params as the agent wrote them. */
  readonly json: string
  readonly cancel: AbortSignal
}

/** The receiver of messages from a real server. */
export interface RealListener {
  notified(method: string, params: Value): void
  /** Sends a request to the client; resolves with the response. */
  asked(method: string, params: Value): Promise<RealReply>
}

/**
 * The real server behind an actor. Every message to the server passes through this interface, so that none is sent
 * without a decision.
 */
export interface RealSide {
  readonly server: string
  /** Returns a tool as listed before the first run. */
  tool(name: string): RealTool | undefined
  /** Starts a server command, so that it is ready when the agent connects. */
  start(): void
  /** Sets the receiver of messages; called before the first request. */
  hear(listener: RealListener): void
  /** Returns the handshake response; the client's params open the connection. */
  greet(client: Value | undefined): Promise<Result<RealReply, string>>
  /** Passes on a read-only request; undefined if the request is held back. */
  read(request: RealRequest): Promise<RealReply | undefined>
  /**
   * Passes on a tool call, or answers it in place of the server. `lay` changes a result that is not an error, unless
   * `lay` returns undefined.
   */
  call(tool: string, request: RealRequest, lay?: (result: Value) => Value | undefined): Promise<RealReply>
  /** Counts a call that the document answers instead of the server. */
  answeredByDocument(tool: string): void
  /** Returns a harmless value that fits a tool's output schema. */
  harmless(tool: string, schema: Value): Value
  calls(): readonly ThroughCall[]
  close(): Promise<void>
}
