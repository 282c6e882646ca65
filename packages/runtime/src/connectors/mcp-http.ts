/** MCP over Streamable HTTP: the SDK's transport, with each request ended once its answer can no longer come. */

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

/** Never reconnects: a stream that breaks is a call that failed. */
const NEVER = { maxRetries: 0, initialReconnectionDelay: 0, maxReconnectionDelay: 0, reconnectionDelayGrowFactor: 1 }

/** A transport to the address of a binding and nowhere else. */
export class HttpTransport implements McpTransport {
  onclose: Transport['onclose']
  onerror: Transport['onerror']
  onmessage: Transport['onmessage']
  readonly #inner: StreamableHTTPClientTransport
  readonly #open = new OpenRequests()
  readonly #streams = new Map<RequestId, AbortController>()
  #fault = ''
  #unreadable = false
  #lost = false

  constructor(binding: UrlBinding) {
    const fetch = createBoundedFetch(binding)
    this.#inner = new StreamableHTTPClientTransport(new URL(binding.url), { fetch, reconnectionOptions: NEVER })
    this.#inner.onclose = () => {
      this.#lost = true
      this.onclose?.()
    }
    this.#inner.onerror = (error) => {
      if (!error.message.startsWith('Maximum reconnection attempts')) this.#fault = error.message
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

  trouble(): string {
    return this.#fault
  }

  // The interface's options are for the newer protocol and for resuming, which this transport does not support.
  async send(message: JSONRPCMessage): Promise<void> {
    const { opened, dropped } = this.#open.sent(message)
    // The server may keep writing to a stream that nobody reads.
    if (dropped !== undefined) this.#end(dropped)
    try {
      if (opened === undefined) await this.#inner.send(message)
      else await this.#ask(message, opened)
    } catch (thrown) {
      const givenUp = opened !== undefined && !this.#streams.has(opened)
      if (opened !== undefined) this.#end(opened)
      // A session that is gone, or a host that is, does not come back on this transport.
      if (!givenUp && !(thrown instanceof SdkHttpError && thrown.status !== 404)) this.#lost = true
      throw thrown
    }
  }

  async close(): Promise<void> {
    // A server need not have sessions, nor allow them to be ended.
    const ended = this.#inner.terminateSession().catch(() => {})
    await endsWithin(ended, runtimeLimits.mcpCloseMs)
    await this.#inner.close()
    for (const id of this.#streams.keys()) this.#end(id)
  }

  async #ask(message: JSONRPCMessage, id: RequestId): Promise<void> {
    const stream = new AbortController()
    this.#streams.set(id, stream)
    this.#fault = ''
    this.#unreadable = false
    const onRequestStreamEnd = () => {
      const said = this.#fault === '' ? '' : `: ${this.#fault}`
      const what = this.#unreadable ? UNREADABLE : 'the server ended its stream without a response'
      const answer = this.#open.failed(id, `${what}${said}`)
      this.#end(id)
      if (answer !== undefined) this.onmessage?.(answer)
    }
    await this.#inner.send(message, { requestSignal: stream.signal, onRequestStreamEnd })
  }

  #end(id: RequestId): void {
    this.#streams.get(id)?.abort(new Error('the request is over'))
    this.#streams.delete(id)
  }

  #take(message: JSONRPCMessage): void {
    this.#open.received(message)
    if (!('method' in message) && 'id' in message && message.id !== undefined) this.#streams.delete(message.id)
    this.onmessage?.(message)
  }
}
