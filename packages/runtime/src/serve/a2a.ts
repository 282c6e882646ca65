/** Serves an agent over A2A 1.0 and 0.3: card, messages, streams and tasks. */
import type { CancelTaskRequest, SendMessageRequest } from '@a2a-js/sdk'
import { isLegacyJsonRpcMethod, isV1JsonRpcMethod } from '@a2a-js/sdk/compat/v0_3'
import { LegacyJsonRpcTransportHandler } from '@a2a-js/sdk/compat/v0_3/server'
import { RequestMalformedError, UnsupportedOperationError } from '@a2a-js/sdk/errors'
import {
  type A2ARequestHandler,
  DefaultRequestHandler,
  JsonRpcTransportHandler,
  ServerCallContext,
  UnauthenticatedUser,
  validateVersion,
} from '@a2a-js/sdk/server'
import type { Agent } from '@joust/agentformat'
import { isRecord, own, type Value, type ValueRecord } from '@joust/source'
import { CARD_PATH } from '../connectors/a2a-card.ts'
import type { Runtime } from '../runtime.ts'
import { agentCard, cardDocument } from './a2a-card.ts'
import { createTaskRunner, type TaskRunner } from './a2a-executor.ts'
import { createTasks } from './a2a-tasks.ts'
import { readBody } from './body.ts'
import {
  type Exchange,
  type Handler,
  openEventStream,
  PARSE_ERROR,
  refuseMethod,
  requireReady,
  type Served,
  type ServeOptions,
  sendJson,
  sendRpcError,
  serveHttp,
} from './http.ts'

/** Serves an agent over A2A, with JSON-RPC at the root and the card at its well-known path. */
export async function serveA2a(runtime: Runtime, agent: Agent, options: ServeOptions = {}): Promise<Served> {
  const { handle, close } = await a2aHandler(runtime, agent, options)
  return serveHttp(handle, options, close)
}

/** Creates the request handler. In a server with several protocols, `base` is the endpoint path. */
export async function a2aHandler(runtime: Runtime, agent: Agent, options: ServeOptions, base = '/'): Promise<Handler> {
  await requireReady(runtime, [agent], options)
  const tasks = createTasks()
  const { memoryScope, stream, approvals, approvalMs } = options
  const asksClient = approvals === 'client'
  const runner = createTaskRunner({ runtime, agent, tasks, memoryScope, stream, approvalMs, asksClient })
  const handler = checkInput(new DefaultRequestHandler(agentCard(agent, '/'), tasks, runner), runner)
  const current = new JsonRpcTransportHandler(handler)
  const endpoint: Endpoint = { handler, current, legacy: new LegacyJsonRpcTransportHandler(handler) }
  return {
    async handle(exchange) {
      const { request, response, path } = exchange
      if (path === CARD_PATH) {
        if (request.method !== 'GET') return refuseMethod(response, 'GET')
        response.setHeader('cache-control', 'no-cache')
        // The request's host was checked above, and keeps the card correct behind a forwarded port.
        return sendJson(response, 200, cardDocument(agent, `http://${request.headers.host}${base}`))
      }
      if (path !== '/') return sendJson(response, 404, { error: `not found: ${path}` })
      if (request.method !== 'POST') return refuseMethod(response, 'POST')
      const body = await readBody(request, options.maxBodyBytes)
      if (!body.ok) return sendRpcError(response, body.error.status, PARSE_ERROR, body.error.message)
      await answer(endpoint, body.value, exchange)
    },
    close: () => runner.stop(new Error('the server is stopping')),
  }
}

interface Endpoint {
  readonly handler: A2ARequestHandler
  readonly current: JsonRpcTransportHandler
  readonly legacy: LegacyJsonRpcTransportHandler
}

const INVALID_REQUEST = -32_600

/** Rejects invalid messages before a task is created. */
function checkInput(handler: DefaultRequestHandler, runner: TaskRunner): A2ARequestHandler {
  const check = ({ message }: SendMessageRequest, context: ServerCallContext) => {
    if (message === undefined) return
    if (runner.isRunning(message.taskId)) throw new UnsupportedOperationError(`task ${message.taskId} is still running`)
    const request = runner.read(message, context)
    if (!request.ok) throw new RequestMalformedError(request.error)
  }
  const send = handler.sendMessage.bind(handler)
  const stream = handler.sendMessageStream.bind(handler)
  const cancel = handler.cancelTask.bind(handler)
  return Object.assign(handler, {
    async sendMessage(params: SendMessageRequest, context: ServerCallContext) {
      check(params, context)
      return send(params, context)
    },
    async *sendMessageStream(params: SendMessageRequest, context: ServerCallContext) {
      check(params, context)
      yield* stream(params, context)
    },
    async cancelTask(params: CancelTaskRequest, context: ServerCallContext) {
      const task = await cancel(params, context)
      runner.drop(params.id)
      return task
    },
  })
}

async function answer(endpoint: Endpoint, body: Value, exchange: Exchange): Promise<void> {
  const { request, response } = exchange
  if (!isRecord(body)) return sendRpcError(response, 400, INVALID_REQUEST, 'expected a single JSON-RPC request')
  const header = request.headers['a2a-version']
  const version = typeof header === 'string' && header !== '' ? header : impliedVersion(body)
  const legacy = version === '0.3'
  try {
    validateVersion(version, await endpoint.handler.getAgentCard(), 'JSONRPC')
    const context = new ServerCallContext({ user: new UnauthenticatedUser(), requestedVersion: version })
    const result = await (legacy ? endpoint.legacy : endpoint.current).handle({ ...body }, context)
    if (!isStream(result)) return sendJson(response, 200, result)
    await answerStream(result, body, legacy, exchange)
  } catch (thrown) {
    sendJson(response, 200, { jsonrpc: '2.0', id: idOf(body), error: errorOf(thrown, legacy) })
  }
}

/** Returns the version to assume if the header is missing: the version of the method, by default 0.3. */
function impliedVersion(body: ValueRecord): string {
  const method = own(body, 'method')
  return isV1JsonRpcMethod(method) && !isLegacyJsonRpcMethod(method) ? '1.0' : '0.3'
}

/** Sends a stream. An error before the first event becomes a plain response, as clients expect. */
async function answerStream(
  events: AsyncIterable<unknown>,
  body: ValueRecord,
  legacy: boolean,
  { response, signal }: Exchange,
): Promise<void> {
  const iterator = events[Symbol.asyncIterator]()
  const disconnected = new Promise<{ done: true; value: undefined }>((resolve) => {
    const stop = () => resolve({ done: true, value: undefined })
    if (response.destroyed) stop()
    response.on('close', stop)
  })
  const first = await iterator.next()
  const stream = openEventStream(response)
  try {
    for (let next = first; next.done !== true; next = await Promise.race([iterator.next(), disconnected]))
      stream.send(next.value)
  } catch (thrown) {
    stream.send({ jsonrpc: '2.0', id: idOf(body), error: errorOf(thrown, legacy) })
  } finally {
    // The task continues after a disconnect, so that the client can resubscribe.
    if (signal.aborted) void Promise.resolve(iterator.return?.()).catch(() => {})
    stream.end()
  }
}

function isStream(result: object): result is AsyncIterable<unknown> {
  return Symbol.asyncIterator in result
}

function errorOf(thrown: unknown, legacy: boolean): unknown {
  return legacy
    ? LegacyJsonRpcTransportHandler.mapToLegacyJSONRPCError(thrown)
    : JsonRpcTransportHandler.mapToJSONRPCError(thrown)
}

function idOf(body: ValueRecord): Value {
  const id = own(body, 'id')
  return typeof id === 'string' || typeof id === 'number' ? id : null
}
