/** HTTP as drivers see it: the same over sockets and in memory. */

/** A request that came in. */
export interface HttpRequest {
  readonly method: string
  /** Path and query. */
  readonly target: string
  /** Names in lower case; repeated headers joined by a comma. */
  readonly headers: Readonly<Record<string, string>>
  /** The whole body, cut where it goes over the limit. */
  readonly body: Uint8Array
  /** Set when the body went over the limit or broke off. */
  readonly fault?: string
  /** Fires when the peer is gone or the server stops. */
  readonly signal: AbortSignal
}

/** How a request is answered: any status, any header, any byte. */
export interface HttpReply {
  /** Sends status and headers, once. */
  head(status: number, headers?: Readonly<Record<string, string>>): void
  /** Sends a part of the body; resolves when the peer can take more. Does nothing when the peer is gone. */
  write(chunk: string | Uint8Array): Promise<void>
  /** Sends the last part; resolves when all of it is on the wire or the peer is gone. */
  end(chunk?: string | Uint8Array): Promise<void>
  /** Breaks the connection off. */
  destroy(): void
}

/** Answers one request. What it throws is a defect of ours and ends that connection. */
export type HttpHandler = (request: HttpRequest, reply: HttpReply) => Promise<void>

/** A server that accepts connections. */
export interface HttpListening {
  /** `http://host:port`, without a slash at the end. */
  readonly origin: string
  /** The path of the server, when others share the origin: `/mcp/1`. Handlers see what comes after it. */
  readonly path?: string
  /** Ends what is open and releases the port. Can be called again. */
  close(): Promise<void>
}

/** Begins to listen; rejects with an `ArenaError` when the address is not available. */
export type HttpListen = (handler: HttpHandler) => Promise<HttpListening>

/** A request to send. */
export interface HttpCall {
  readonly method: string
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  readonly signal: AbortSignal
}

/** The head of an answer, and its body as it arrives. */
export interface HttpAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Rejects with an `ArenaError` when the stream breaks off. Has no time limit of its own. */
  readonly body: AsyncIterable<Uint8Array>
}

/** Whether a status says that a request was answered as it should be. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}

/** Sends a request; resolves with the head of the answer, rejects with an `ArenaError`. Follows no redirects. */
export type HttpSend = (call: HttpCall) => Promise<HttpAnswer>
