/** MCP connections over any transport, with the SDK's client. */
import { abortable, onAbort } from '@joust/io'
import { defined, isRecord, joustVersion, kindOf, messageOf, type Value, type ValueRecord } from '@joust/source'
import {
  type CallToolResult,
  Client,
  ProtocolError,
  type RequestOptions,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  type Transport,
} from '@modelcontextprotocol/client'
import type { CommandBinding, UrlBinding } from '../model/bindings.ts'
import {
  errorObservation,
  type McpConnection,
  type McpHandlers,
  type McpTool,
  type Observation,
} from '../model/connection.ts'
import { RefusedAnswer } from '../model/errors.ts'
import { toValue } from '../model/json-value.ts'
import { runtimeLimits } from '../model/limits.ts'
import { isRejectedResponse, isSessionLost } from './mcp-errors.ts'
import { answerServer, capabilitiesOf } from './mcp-handlers.ts'
import { HttpTransport } from './mcp-http.ts'
import type { McpTransport } from './mcp-requests.ts'
import { promptObservation, resourceObservation, toolObservation } from './mcp-results.ts'
import { StdioTransport } from './mcp-stdio.ts'
import { schemaValidator } from './mcp-validator.ts'
import { createRedact, type Redact, UNLIMITED } from './secrets.ts'

interface ConnectionSettings {
  readonly handlers: McpHandlers
  readonly signal?: AbortSignal
  readonly timeoutMs?: number | undefined
  readonly redact?: Redact
}

/** Connects over a transport from `newTransport`. Over HTTP, each session uses a new transport. */
export async function connectTransport(
  newTransport: () => Transport,
  settings: ConnectionSettings,
): Promise<McpConnection> {
  const connection = new ClientConnection(newTransport, settings)
  await connection.open(settings.signal ?? new AbortController().signal)
  return connection
}

class ClientConnection implements McpConnection {
  #client: Client
  #transport: Transport & Partial<McpTransport>
  readonly #newTransport: () => Transport
  readonly #handlers: McpHandlers
  readonly #timeout: number
  readonly #redact: Redact
  readonly #listeners = new Set<() => void>()
  #open = false
  /** True once tools have been listed; the SDK's client then validates results against their output schemas. */
  #hasListed = false
  #renewal: Promise<unknown> | undefined
  /** Clients of earlier sessions; their pending requests are not cancelled. */
  readonly #former: Client[] = []

  constructor(
    newTransport: () => Transport,
    { handlers, timeoutMs = runtimeLimits.mcpRequestMs, redact = (text) => text }: ConnectionSettings,
  ) {
    this.#newTransport = newTransport
    this.#handlers = handlers
    this.#timeout = timeoutMs
    this.#redact = redact
    this.#transport = newTransport()
    this.#client = this.#newClient()
  }

  #newClient(): Client {
    const capabilities = capabilitiesOf(this.#handlers)
    const options = { capabilities, jsonSchemaValidator: schemaValidator, listMaxPages: runtimeLimits.mcpPages }
    const client = new Client({ name: 'joust', version: joustVersion }, options)
    answerServer(client, this.#handlers)
    client.setNotificationHandler('notifications/tools/list_changed', () => {
      for (const listener of this.#listeners) listener()
    })
    client.onclose = () => {
      if (client === this.#client) this.#open = false
    }
    // A transport error fails its own request; other errors are ignored.
    client.onerror = () => {}
    return client
  }

  async open(signal: AbortSignal): Promise<void> {
    try {
      await this.#request('initialize', signal, (options) => this.#client.connect(this.#transport, options))
      this.#open = true
    } catch (thrown) {
      await this.close()
      throw thrown
    }
  }

  /** Repeats a request in a new session if the server rejects the old one as unknown, as MCP requires. */
  async #inSession<T>(work: () => Promise<T>): Promise<T> {
    await this.#renewal?.catch(() => {})
    const transport = this.#transport
    try {
      return await work()
    } catch (thrown) {
      if (!this.#open || !isSessionLost(thrown, transport)) throw thrown
      // Concurrent requests that lose the same session share a new one.
      await (transport === this.#transport ? this.#renew(this.#hasListed) : this.#renewal)
      return work()
    }
  }

  async #renew(lists: boolean): Promise<void> {
    this.#former.push(this.#client)
    this.#transport = this.#newTransport()
    const client = this.#newClient()
    this.#client = client
    const options = { timeout: this.#timeout }
    const list = async () => lists && client.listTools(undefined, options)
    this.#renewal = client.connect(this.#transport, options).then(list)
    await this.#renewal.finally(() => (this.#renewal = undefined))
  }

  /** Detects a restarted server. A lost session fails a ping; without a session, only a new handshake detects it. */
  async refresh(signal: AbortSignal): Promise<void> {
    if (this.#transport instanceof HttpTransport) {
      const ask = (options: RequestOptions) =>
        this.#transport.sessionId === undefined ? this.#renew(false) : this.#client.ping(options)
      await this.#request<unknown>('ping', signal, ask).catch((thrown: Error) => {
        // Any protocol response, even an error, means that the server is available.
        if (!(thrown.cause instanceof ProtocolError)) throw thrown
      })
    }
    await this.#closeFormer()
  }

  async #closeFormer(): Promise<void> {
    await Promise.allSettled(this.#former.splice(0).map((client) => client.close()))
  }

  get instructions(): string {
    return this.#client.getInstructions() ?? ''
  }

  async listTools(signal: AbortSignal): Promise<readonly McpTool[]> {
    if (this.#client.getServerCapabilities()?.tools === undefined) return []
    const refuse = (message: string) => new RefusedAnswer('tools/list', message)
    const { tools } = await this.#request('tools/list', signal, (options) =>
      this.#client.listTools(undefined, { ...options, cacheMode: 'refresh' }),
    )
    this.#hasListed = true
    if (tools.length > runtimeLimits.mcpTools)
      throw refuse(`the server lists ${tools.length} tools; the limit is ${runtimeLimits.mcpTools}`)
    return tools.map(({ name, description, inputSchema, annotations }) => {
      const schema = toValue(inputSchema)
      if (!schema.ok || !isRecord(schema.value)) throw refuse(`the schema of ${JSON.stringify(name)} is not an object`)
      const repeatable = annotations?.readOnlyHint === true || annotations?.idempotentHint === true
      return { name, inputSchema: schema.value, ...defined({ description }), ...(repeatable && { repeatable }) }
    })
  }

  async callTool(name: string, args: Value, signal: AbortSignal): Promise<Observation> {
    if (!isRecord(args)) return errorObservation(`expected an object as arguments, got ${kindOf(args)}`)
    return this.#observe('tools/call', signal, async (options) => {
      const result: CallToolResult = await this.#client.callTool({ name, arguments: args }, options)
      return toolObservation(result)
    })
  }

  async listResources(signal: AbortSignal): Promise<Value> {
    if (this.#client.getServerCapabilities()?.resources === undefined) return []
    return this.#request('resources/list', signal, (options) => this.#listResources(options))
  }

  readResource(uri: string, signal: AbortSignal): Promise<Observation> {
    return this.#observe('resources/read', signal, async (options) =>
      resourceObservation(await this.#client.readResource({ uri }, options)),
    )
  }

  async listPrompts(signal: AbortSignal): Promise<Value> {
    if (this.#client.getServerCapabilities()?.prompts === undefined) return []
    const { prompts } = await this.#request('prompts/list', signal, (options) =>
      this.#client.listPrompts(undefined, { ...options, cacheMode: 'refresh' }),
    )
    return asValue(prompts, 'prompts/list')
  }

  async getPrompt(name: string, args: ValueRecord, signal: AbortSignal): Promise<Observation> {
    const texts = Object.entries(args).flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : []))
    if (texts.length < Object.keys(args).length) return errorObservation('prompt arguments must be strings')
    return this.#observe('prompts/get', signal, async (options) =>
      promptObservation(await this.#client.getPrompt({ name, arguments: Object.fromEntries(texts) }, options)),
    )
  }

  onToolsChanged(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  isOpen(): boolean {
    return this.#open && this.#transport.isOpen !== false
  }

  async close(): Promise<void> {
    this.#open = false
    this.#listeners.clear()
    this.#former.push(this.#client)
    await this.#closeFormer()
    // A client that never connected does not close its transport.
    await this.#transport.close().catch(() => {})
  }

  /** Lists the resources, or the resource templates if there are no resources. */
  async #listResources(options: RequestOptions): Promise<Value> {
    const fresh = { ...options, cacheMode: 'refresh' } as const
    const { resources } = await this.#client.listResources(undefined, fresh)
    if (resources.length > 0) return asValue(resources, 'resources/list')
    try {
      return asValue((await this.#client.listResourceTemplates(undefined, fresh)).resourceTemplates, 'resources/list')
    } catch (thrown) {
      // Templates are optional.
      if (thrown instanceof ProtocolError) return []
      throw thrown
    }
  }

  /** Converts the result or error of a request to an observation. Rejects on abort or if the response is rejected. */
  async #observe(
    operation: string,
    signal: AbortSignal,
    work: (options: RequestOptions) => Promise<Observation>,
  ): Promise<Observation> {
    try {
      return await this.#request(operation, signal, work)
    } catch (thrown) {
      if (signal.aborted || thrown instanceof RefusedAnswer) throw thrown
      const cause = thrown instanceof Error && thrown.cause
      const isAnswer = cause instanceof ProtocolError
      return errorObservation(isAnswer ? this.#redact(this.#explain(cause), UNLIMITED) : messageOf(thrown))
    }
  }

  async #request<T>(operation: string, signal: AbortSignal, work: (options: RequestOptions) => Promise<T>): Promise<T> {
    // The server is told of the cancellation, but not its reason.
    const stop = new AbortController()
    const removeListener = onAbort(signal, () => stop.abort('the request was cancelled'))
    try {
      return await abortable(signal, () => this.#inSession(() => work({ signal: stop.signal, timeout: this.#timeout })))
    } catch (thrown) {
      if (signal.aborted) throw thrown
      const message = this.#redact(this.#explain(thrown))
      if (isRejectedResponse(thrown)) throw new RefusedAnswer(operation, message, { cause: thrown })
      throw new Error(message, { cause: thrown })
    } finally {
      removeListener()
    }
  }

  #explain(thrown: unknown): string {
    const problems = this.#transport.problems?.() ?? ''
    const suffix = problems === '' ? '' : `: ${problems}`
    if (thrown instanceof SdkHttpError) return `the server returned HTTP ${thrown.status}: ${messageOf(thrown)}`
    if (thrown instanceof ProtocolError) return `the server returned error ${thrown.code}: ${thrown.message}`
    if (!(thrown instanceof SdkError)) return messageOf(thrown)
    if (thrown.code === SdkErrorCode.RequestTimeout) return `no answer within ${this.#timeout / 1000} seconds${suffix}`
    if (thrown.code === SdkErrorCode.ConnectionClosed) return `the connection was closed${suffix}`
    return messageOf(thrown)
  }
}

function asValue(result: unknown, operation: string): Value {
  const value = toValue(result)
  if (!value.ok) throw new RefusedAnswer(operation, `the server's list is not valid JSON: ${value.error}`)
  return value.value
}

/** Connects to a server by command or URL, and redacts secrets in error messages. */
export async function connectMcp(
  binding: CommandBinding | UrlBinding,
  handlers: McpHandlers,
  signal: AbortSignal,
): Promise<McpConnection> {
  const newTransport = () => ('command' in binding ? new StdioTransport(binding) : new HttpTransport(binding))
  const { timeoutMs } = binding
  return connectTransport(newTransport, { handlers, signal, redact: createRedact(binding), timeoutMs })
}
