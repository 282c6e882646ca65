/** MCP over Streamable HTTP, with the SDK's transport. A request fails if its stream ends without a response. */
import { endsWithin } from '@joust/io'
import {
  type JSONRPCMessage,
  SdkHttpError,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client'
import type { UrlBinding } from '../model/bindings.ts'
import { runtimeLimits } from '../model/limits.ts'
import { createBoundedFetch } from './bounded-fetch.ts'
import { isUnreadable, type McpTransport, OpenRequests, type RequestId, UNREADABLE } from './mcp-requests.ts'

/** Options that disable reconnection, so that a broken stream fails the call. */
const NO_RECONNECTION = {
  maxRetries: 0,
  initialReconnectionDelay: 0,
  maxReconnectionDelay: 0,
  reconnectionDelayGrowFactor: 1,
}

export class HttpTransport implements McpTransport {
  onclose: Transport['onclose']
  onerror: Transport['onerror']
  onmessage: Transport['onmessage']
  readonly #inner: StreamableHTTPClientTransport
  readonly #open = new OpenRequests()
  readonly #streams = new Map<RequestId, AbortController>()
  #error = ''
  #unreadable = false
  #lost = false

  constructor(binding: UrlBinding) {
    const fetch = createBoundedFetch(binding)
    this.#inner = new StreamableHTTPClientTransport(new URL(binding.url), {
      fetch,
      reconnectionOptions: NO_RECONNECTION,
    })
    this.#inner.onclose = () => {
      this.#lost = true
      this.onclose?.()
    }
    this.#inner.onerror = (error) => {
      if (!error.message.startsWith('Maximum reconnection attempts')) this.#error = error.message
      this.#unreadable ||= isUnreadable(error)
      this.onerror?.(error)
    }
    this.#inner.onmessage = (message) => this.#take(message)
  }

  get isOpen(): boolean {
    return !this.#lost
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId
  }

  start(): Promise<void> {
    return this.#inner.start()
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion(version)
  }

  problems(): string {
    return this.#error
  }

  // The interface's options (newer protocol, resumption) are not supported.
  async send(message: JSONRPCMessage): Promise<void> {
    const { opened, dropped } = this.#open.sent(message)
    // The server may keep writing to the stream of a cancelled request.
    if (dropped !== undefined) this.#end(dropped)
    try {
      if (opened === undefined) await this.#inner.send(message)
      else await this.#sendRequest(message, opened)
    } catch (thrown) {
      const isCancelled = opened !== undefined && !this.#streams.has(opened)
      if (opened !== undefined) this.#end(opened)
      // A lost session or host cannot be recovered on this transport.
      if (!isCancelled && !(thrown instanceof SdkHttpError && thrown.status !== 404)) this.#lost = true
      throw thrown
    }
  }

  async close(): Promise<void> {
    // Servers may have no sessions, or not let clients end them.
    const ended = this.#inner.terminateSession().catch(() => {})
    await endsWithin(ended, runtimeLimits.mcpCloseMs)
    await this.#inner.close()
    for (const id of this.#streams.keys()) this.#end(id)
  }

  async #sendRequest(message: JSONRPCMessage, id: RequestId): Promise<void> {
    const stream = new AbortController()
    this.#streams.set(id, stream)
    this.#error = ''
    this.#unreadable = false
    const onRequestStreamEnd = () => {
      const detail = this.#error === '' ? '' : `: ${this.#error}`
      const problem = this.#unreadable ? UNREADABLE : 'the server ended its stream without a response'
      const answer = this.#open.failed(id, `${problem}${detail}`)
      this.#end(id)
      if (answer !== undefined) this.onmessage?.(answer)
    }
    await this.#inner.send(message, { requestSignal: stream.signal, onRequestStreamEnd })
  }

  #end(id: RequestId): void {
    this.#streams.get(id)?.abort(new Error('the request has ended'))
    this.#streams.delete(id)
  }

  #take(message: JSONRPCMessage): void {
    this.#open.received(message)
    if (!('method' in message) && 'id' in message && message.id !== undefined) this.#streams.delete(message.id)
    this.onmessage?.(message)
  }
}
