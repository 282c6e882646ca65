/** MCP over the standard streams of a child process. */
import {
  childEnvironment,
  createLineSplitter,
  endsWithin,
  keepTail,
  openRunFolders,
  type RunFolders,
  type RunningProcess,
  startProcess,
} from '@joust/io'
import { beginning, isRecord, own } from '@joust/source'
import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from '@modelcontextprotocol/client'
import type { CommandBinding } from '../model/bindings.ts'
import { runtimeLimits } from '../model/limits.ts'
import { type McpTransport, OpenRequests, UNREADABLE } from './mcp-requests.ts'

/** A transport that starts a command. Closing the transport ends the process and its child processes. */
export class StdioTransport implements McpTransport {
  onclose: Transport['onclose']
  onerror: Transport['onerror']
  onmessage: Transport['onmessage']
  readonly #binding: CommandBinding
  readonly #open = new OpenRequests()
  readonly #lines = createLineSplitter(runtimeLimits.peerBytes)
  #child: RunningProcess | undefined
  #folders: RunFolders | undefined
  #starting: Promise<void> | undefined
  #stopping: Promise<unknown> | undefined
  #unread = 0
  #noise = ''
  #errors = () => ''
  #error = ''
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
    const { useHome = false, env: variables, ...command } = this.#binding
    this.#folders = await openRunFolders(useHome)
    // The process gets only the environment variables that it needs.
    const env = { ...childEnvironment(), ...this.#folders.env, ...variables }
    const child = await startProcess({ ...command, env }).catch(async (thrown: unknown) => {
      await this.#folders?.remove()
      throw thrown
    })
    if (this.#closed) {
      await child.close(0)
      await this.#folders.remove()
      throw new Error('the connection was closed while the server started')
    }
    this.#child = child
    child.stdout.on('data', (chunk: Buffer) => this.#read(chunk))
    this.#errors = keepTail([child.stderr], runtimeLimits.mcpErrorCharacters)
    void child.exited.then(async ({ text }) => {
      this.#error ||= `the process ${text}`
      // Child processes would keep the pipes open.
      child.signal('SIGKILL')
      // Reads the remaining output, with a timeout: a process that left the group may hold the pipes forever.
      await endsWithin(child.gone, runtimeLimits.mcpCloseMs)
      await this.#folders?.remove()
      this.#end()
    })
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const child = this.#child
    if (child === undefined || this.#closed) throw new Error('the server is not running')
    if (this.#unread > runtimeLimits.mcpUnread || child.stdin.writableLength > runtimeLimits.mcpUnreadBytes) {
      this.#fail('the server does not read its input')
      throw new Error(this.#error)
    }
    this.#open.sent(message)
    this.#unread++
    child.stdin.write(`${JSON.stringify(message)}\n`, () => this.#unread--)
  }

  async close(): Promise<void> {
    if (this.#child !== undefined) this.#stopping ??= this.#child.close(runtimeLimits.mcpCloseMs)
    await this.#stopping
    await this.#folders?.remove()
    this.#end()
    // A process that is still starting is ended in `#start`.
    await this.#starting?.catch(() => {})
  }

  problems(): string {
    const noise = this.#noise === '' ? '' : `invalid output: ${JSON.stringify(this.#noise)}`
    const errors = this.#errors().trim()
    return [this.#error, noise, errors].filter((part) => part !== '').join('; ')
  }

  #end(): void {
    if (this.#closed) return
    this.#closed = true
    this.onclose?.()
  }

  /** Kills a misbehaving server immediately. */
  #fail(error: string): void {
    if (this.#child === undefined || this.#closed) return
    this.#error ||= error
    this.#child.stdout.pause()
    this.#stopping ??= this.#child.close(0)
    this.#end()
  }

  #read(chunk: Buffer): void {
    for (const { text, fault, isCut } of this.#lines.push(chunk)) {
      if (isCut) this.#fail(`the server wrote a line ${fault}`)
      else this.#take(text)
    }
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
      this.#noise ||= beginning(line, runtimeLimits.mcpNoiseCharacters)
      const id = isRecord(value) && own(value, 'method') === undefined ? own(value, 'id') : undefined
      const answer = this.#open.failed(id, UNREADABLE)
      if (answer !== undefined) this.onmessage?.(answer)
    }
  }
}
