/** Agents and clients on the official SDKs, over sockets: 0.3, and 1.3 speaking 0.3 or 1.0. */
import { randomUUID } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import { Role, SendMessageRequest, SendMessageResponse, StreamResponse, Task, TaskState } from '@a2a-js/sdk'
import {
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from '@a2a-js/sdk/client'
import { LegacyJsonRpcTransportHandler } from '@a2a-js/sdk/compat/v0_3/server'
import {
  AgentEvent,
  type AgentExecutor,
  DefaultRequestHandler,
  InMemoryTaskStore,
  JsonRpcTransportHandler,
  ServerCallContext,
  UnauthenticatedUser,
} from '@a2a-js/sdk/server'
import {
  DefaultRequestHandler as DefaultRequestHandler03,
  type AgentExecutor as Executor03,
  InMemoryTaskStore as InMemoryTaskStore03,
  JsonRpcTransportHandler as JsonRpcTransportHandler03,
} from 'a2a-v03/server'
import { listen } from '../../../io/test/loopback.ts'

/** A client on SDK 1.3 that reads 0.3 cards. */
export function client13(url: string) {
  const on = { legacyCompat: { enabled: true } }
  const options = { transports: [new JsonRpcTransportFactory(on)], cardResolver: new DefaultAgentCardResolver(on) }
  return new ClientFactory(ClientFactoryOptions.createFrom(ClientFactoryOptions.default, options)).createFromUrl(url)
}

/** Clients on SDK 1.3 that read only 1.0 cards, by what they speak. */
export const clients10: Readonly<Record<string, (url: string) => ReturnType<typeof client13>>> = {
  'JSON-RPC': (url) => new ClientFactory().createFromUrl(url),
  'HTTP+JSON': (url) => new ClientFactory({ transports: [new RestTransportFactory()] }).createFromUrl(url),
}

/** A message for the client on SDK 1.3. */
export function say13(value: string) {
  const part = {
    content: { $case: 'text' as const, value },
    metadata: undefined,
    filename: '',
    mediaType: 'text/plain',
  }
  const message = { messageId: randomUUID(), role: Role.ROLE_USER, parts: [part], taskId: '', contextId: '' }
  return {
    ...{ tenant: '', metadata: undefined, configuration: undefined },
    message: { ...message, extensions: [], metadata: undefined, referenceTaskIds: [] },
  }
}

/** A message for the client on SDK 0.3. */
export function say03(text: string) {
  const parts = [{ kind: 'text' as const, text }]
  return { message: { kind: 'message' as const, messageId: randomUUID(), role: 'user' as const, parts } }
}

type Handle = (body: Record<string, unknown>, version: string) => Promise<unknown>

/** An agent that echoes: a task, working, an artifact, completed. */
export type Serve = () => Promise<{ readonly url: string; close(): Promise<void> }>

/** The agent on SDK 0.3. */
export const serve03: Serve = () =>
  serveCard((card) => {
    // Nothing here reads what the card leaves out.
    const handler = new DefaultRequestHandler03(card as never, new InMemoryTaskStore03(), echo03)
    const rpc = new JsonRpcTransportHandler03(handler)
    return (body) => rpc.handle(body)
  })

/** The agent on SDK 1.3. */
export const serve13: Serve = () =>
  serveCard((card) => {
    // As above.
    const rpc = new LegacyJsonRpcTransportHandler(
      new DefaultRequestHandler(card as never, new InMemoryTaskStore(), echo13),
    )
    const user = new UnauthenticatedUser()
    return (body) => rpc.handle(body, new ServerCallContext({ user, requestedVersion: '0.3' }))
  })

/** The agent on SDK 1.3 that speaks only 1.0. */
export const serve10: Serve = () =>
  serveCard((card) => {
    // As above.
    const rpc = new JsonRpcTransportHandler(new DefaultRequestHandler(card as never, new InMemoryTaskStore(), echo13))
    const user = new UnauthenticatedUser()
    return (body, requestedVersion) => rpc.handle(body, new ServerCallContext({ user, requestedVersion }))
  }, '1.0')

/**
 * The same over HTTP+JSON. The SDK offers that only for Express, so the paths here are ours; `peers` tests it with
 * Express.
 */
export const serveRest: Serve = async () => {
  let handler: DefaultRequestHandler | undefined
  const server = createServer(async (request, response) => {
    const answer = (value: unknown, status = 200) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    if (request.url === '/.well-known/agent-card.json') return answer(card)
    let body = ''
    for await (const chunk of request) body += chunk
    const user = new UnauthenticatedUser()
    const context = new ServerCallContext({ user, requestedVersion: String(request.headers['a2a-version']) })
    const [, task] = /^\/a2a\/tasks\/(\w+)$/.exec(request.url ?? '') ?? []
    if (handler === undefined) return answer({}, 500)
    if (request.url === '/a2a/message:send') {
      const result = await handler.sendMessage(SendMessageRequest.fromJSON(JSON.parse(body)), context)
      const payload =
        'messageId' in result ? { $case: 'message' as const, value: result } : { $case: 'task' as const, value: result }
      return answer(SendMessageResponse.toJSON({ payload }))
    }
    if (request.url === '/a2a/message:stream') {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for await (const event of handler.sendMessageStream(SendMessageRequest.fromJSON(JSON.parse(body)), context))
        response.write(`data: ${JSON.stringify(StreamResponse.toJSON(event))}\n\n`)
      return void response.end()
    }
    if (task !== undefined) {
      const found = await handler
        .getTask({ tenant: '', id: task, historyLength: undefined }, context)
        .catch(() => undefined)
      return found === undefined
        ? answer({ error: { code: 404, message: 'Task not found' } }, 404)
        : answer(Task.toJSON(found))
    }
    return answer({ error: { code: 404, message: 'Not found' } }, 404)
  })
  const url = await listen(server)
  const place = { url: `${url}/a2a`, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0', tenant: '' }
  const modes = { defaultInputModes: ['text/plain'], defaultOutputModes: ['text/plain'] }
  const about = { name: 'Echo', description: 'Echoes.', version: '1', capabilities: { streaming: true }, skills: [] }
  const card = { ...about, ...modes, supportedInterfaces: [place] }
  // Nothing here reads what the card leaves out.
  handler = new DefaultRequestHandler(card as never, new InMemoryTaskStore(), echo13)
  const close = async () => {
    server.closeAllConnections()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  }
  return { url, close }
}

async function serveCard(handlerFor: (card: object) => Handle, version = '0.3.0') {
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') return void (await reply(response, card))
    let body = ''
    for await (const chunk of request) body += chunk
    await reply(response, await handle(JSON.parse(body), String(request.headers['a2a-version'] ?? '0.3')))
  })
  const url = await listen(server)
  const place = { url: `${url}/a2a`, protocolVersion: version }
  const card = {
    ...{ name: 'Echo', description: 'Echoes.', version: '1', capabilities: { streaming: true }, skills: [] },
    ...(version === '1.0'
      ? { supportedInterfaces: [{ ...place, protocolBinding: 'JSONRPC', tenant: '' }] }
      : { ...place, preferredTransport: 'JSONRPC' }),
    ...{ defaultInputModes: ['text/plain'], defaultOutputModes: ['text/plain'] },
  }
  const handle = handlerFor(card)
  const close = async () => {
    server.closeAllConnections()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  }
  return { url, close }
}

async function reply(response: ServerResponse, result: unknown): Promise<void> {
  // Both SDKs return a stream for streaming methods.
  const stream = result as AsyncIterable<unknown>
  if (typeof stream[Symbol.asyncIterator] !== 'function') {
    response.setHeader('content-type', 'application/json').end(JSON.stringify(result))
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for await (const event of stream) response.write(`data: ${JSON.stringify(event)}\n\n`)
  response.end()
}

const echo03: Executor03 = {
  async execute({ taskId, contextId, userMessage }, bus) {
    const ids = { taskId, contextId }
    bus.publish({ kind: 'task', id: taskId, contextId, status: { state: 'submitted' }, history: [userMessage] })
    bus.publish({ kind: 'status-update', ...ids, status: { state: 'working' }, final: false })
    bus.publish({ kind: 'artifact-update', ...ids, artifact: { artifactId: 'a', parts: userMessage.parts } })
    bus.publish({ kind: 'status-update', ...ids, status: { state: 'completed' }, final: true })
    bus.finished()
  },
  async cancelTask() {},
}

const echo13: AgentExecutor = {
  async execute({ taskId, contextId, userMessage }, bus) {
    const ids = { taskId, contextId, metadata: undefined }
    const status = (state: TaskState) => ({ state, timestamp: undefined, message: undefined })
    const submitted = status(TaskState.TASK_STATE_SUBMITTED)
    const task = {
      id: taskId,
      contextId,
      status: submitted,
      history: [userMessage],
      artifacts: [],
      metadata: undefined,
    }
    const named = { artifactId: 'a', name: '', description: '', extensions: [], metadata: undefined }
    bus.publish(AgentEvent.task(task))
    bus.publish(AgentEvent.statusUpdate({ ...ids, status: status(TaskState.TASK_STATE_WORKING) }))
    const artifact = { ...named, parts: userMessage.parts }
    bus.publish(AgentEvent.artifactUpdate({ ...ids, artifact, append: false, lastChunk: true }))
    bus.publish(AgentEvent.statusUpdate({ ...ids, status: status(TaskState.TASK_STATE_COMPLETED) }))
    bus.finished()
  },
  async cancelTask() {},
}
