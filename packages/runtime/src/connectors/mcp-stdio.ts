/** MCP over the standard streams of a child process. */

import { isRecord, own } from '@joust/source'
import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from '@modelcontextprotocol/client'
import type { CommandBinding } from '../model/bindings.ts'
import { MOST_BYTES } from './bounded-fetch.ts'
import { type Child, startChild, stopChild } from './child-process.ts'
import { OpenRequests } from './mcp-requests.ts'
import type { McpTransport } from './mcp-transport.ts'

/** How long a server has to end by itself, twice: once its input ends, and once it is asked to. */
const PATIENCE_MS = 1000
/** How many messages, and how many bytes, may wait for a server that does not read. */
const MOST_UNREAD = 2000
const MOST_UNREAD_BYTES = 16 * 1024 * 1024
const KEPT_OUTPUT = 2000

/** A transport that starts a command and ends it, with everything it started, when it is closed. */
export class StdioTransport implements McpTransport {
  onclose: Transport['onclose']
  onerror: Transport['onerror']
  onmessage: Transport['onmessage']
  readonly #binding: CommandBinding
  readonly #open = new OpenRequests()
  #child: Child | undefined
  #starting: Promise<void> | undefined
  #stopping: Promise<void> | undefined
  #unfinished: Buffer[] = []
  #size = 0
  #unread = 0
  #noise = ''
  #errors = ''
  #fault = ''
  #closed = false

  constructor(binding: CommandBinding) {
    this.#binding = binding
  }

  get isOpen(): boolean {
    return this.#child !== undefined && !this.#closed
  }

  start(): Promise<void> {
    this.#starting = this.#start()
    return this.#starting
  }

  async #start(): Promise<void> {
    const child = await startChild(this.#binding)
    if (this.#closed) {
      await stopChild(child, 0)
      throw new Error('the server was not wanted any more when it had started')
    }
    this.#child = child
    child.stdout.on('data', (chunk: Buffer) => this.#read(chunk))
    child.stderr.on('data', (chunk: Buffer) => {
      this.#errors = `${this.#errors}${chunk.toString('utf8')}`.slice(-KEPT_OUTPUT)
    })
    // A pipe breaks when the child ends, and that is told by its exit.
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => {})
    child.once('exit', (code, signal) => {
      this.#fault ||= `the process ended ${code === null ? `by ${signal}` : `with code ${code}`}`
      // A process that left its group may hold the pipes open for ever; what was written before the exit is read first.
      const timer = setTimeout(() => this.#end(), PATIENCE_MS)
      child.once('close', () => {
        clearTimeout(timer)
        this.#end()
      })
    })
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const child = this.#child
    if (child === undefined || this.#closed) throw new Error('the server is not running')
    if (this.#unread > MOST_UNREAD || child.stdin.writableLength > MOST_UNREAD_BYTES) {
      this.#fail('the server does not read its input')
      throw new Error(this.#fault)
    }
    this.#open.sent(message)
    this.#unread++
    child.stdin.write(`${JSON.stringify(message)}\n`, () => this.#unread--)
  }

  async close(): Promise<void> {
    if (this.#child !== undefined) this.#stopping ??= stopChild(this.#child, PATIENCE_MS)
    await this.#stopping
    this.#end()
    // A process that was just being started is ended by its start.
    await this.#starting?.catch(() => {})
  }

  trouble(): string {
    const noise = this.#noise === '' ? '' : `its output was no message: ${JSON.stringify(this.#noise)}`
    const errors = this.#errors.trim()
    return [this.#fault, noise, errors].filter((part) => part !== '').join('; ')
  }

  #end(): void {
    if (this.#closed) return
    this.#closed = true
    this.#unfinished = []
    this.onclose?.()
  }

  /** Ends a server that does harm, without the usual patience. */
  #fail(fault: string): void {
    if (this.#child === undefined || this.#closed) return
    this.#fault ||= fault
    this.#child.stdout.pause()
    this.#stopping ??= stopChild(this.#child, 0)
    this.#end()
  }

  #read(chunk: Buffer): void {
    let rest = chunk
    for (let end = rest.indexOf(LINE_FEED); end >= 0; end = rest.indexOf(LINE_FEED)) {
      const line = Buffer.concat([...this.#unfinished, rest.subarray(0, end)])
      this.#unfinished = []
      this.#size = 0
      rest = rest.subarray(end + 1)
      this.#take(line.toString('utf8'))
    }
    this.#size += rest.length
    if (rest.length > 0) this.#unfinished.push(rest)
    if (this.#size <= MOST_BYTES) return
    this.#unfinished = []
    this.#size = 0
    this.#fail(`the server wrote a line of more than ${MOST_BYTES} bytes`)
  }

  #take(line: string): void {
    if (this.#closed || line.trim() === '') return
    let value: unknown
    try {
      value = JSON.parse(line)
      const message = parseJSONRPCMessage(value)
      this.#open.received(message)
      this.onmessage?.(message)
    } catch {
      this.#noise ||= line.slice(0, 200)
      const id = isRecord(value) && own(value, 'method') === undefined ? own(value, 'id') : undefined
      const answer = this.#open.failed(id, 'the server answered with something that is no JSON-RPC response')
      if (answer !== undefined) this.onmessage?.(answer)
    }
  }
}

const LINE_FEED = 10
