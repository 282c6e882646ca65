/** The HTTP interface of drivers, over sockets or in memory. */

/** An incoming request. */
export interface HttpRequest {
  readonly method: string
  /** The path and query. */
  readonly target: string
  /** Names in lower case; repeated headers joined by a comma. */
  readonly headers: Readonly<Record<string, string>>
  /** Truncated at the limit. */
  readonly body: Uint8Array
  /** The reason for a truncated body; undefined if it is complete. */
  readonly fault?: string
  /** Fires when the peer disconnects or the server stops. */
  readonly signal: AbortSignal
}

/** The reply to an HTTP request: any status, headers and body. */
export interface HttpReply {
  /** Sends status and headers, once. */
  head(status: number, headers?: Readonly<Record<string, string>>): void
  /** Sends part of the body; resolves when the peer can receive more. Does nothing if the peer has disconnected. */
  write(chunk: string | Uint8Array): Promise<void>
  /** Sends the last part; resolves when all data is sent or the peer has disconnected. */
  end(chunk?: string | Uint8Array): Promise<void>
  /** Destroys the connection. */
  destroy(): void
}

/** Handles one request. An exception is an internal error and ends the connection. */
export type HttpHandler = (request: HttpRequest, reply: HttpReply) => Promise<void>

/** A listening HTTP server. */
export interface HttpListening {
  /** `http://host:port`, without a trailing slash. */
  readonly origin: string
  /** The base path of a server on a shared origin, such as `/mcp/1`. Handlers get the rest of the path. */
  readonly path?: string
  /** Closes all connections and releases the port. Idempotent. */
  close(): Promise<void>
}

/** Starts a server; rejects with an `ArenaError` if the address is unavailable. */
export type HttpListen = (handler: HttpHandler) => Promise<HttpListening>

/** An outgoing HTTP request. */
export interface HttpCall {
  readonly method: string
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  readonly signal: AbortSignal
}

/** The head of a response and its streamed body. */
export interface HttpAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Rejects with an `ArenaError` if the stream is cut off. Has no time limit. */
  readonly body: AsyncIterable<Uint8Array>
}

/** True for a 2xx status. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}

/** Sends a request; resolves with the response head, rejects with an `ArenaError`. Redirects are not followed. */
export type HttpSend = (call: HttpCall) => Promise<HttpAnswer>
