/** The front door as an A2A 0.3 agent: a message is a turn, the answer a task that is done. */
import { isRecord, own, type Value, type ValueRecord } from '@joust/source'
import { CARD_PATH, OLD_CARD_PATH } from '../../drivers/a2a/well-known.ts'
import { jsonRpcCodes, readMessage, writeError, writeResult } from '../../drivers/json-rpc.ts'
import { requestText } from '../../drivers/read-body.ts'
import { messageOf } from '../../model/errors.ts'
import type { HttpHandler, HttpReply } from '../../model/http.ts'
import { writeEvent } from '../../transport/event-stream.ts'
import type { DoorContext } from './door.ts'
import { saidInMessage } from './request.ts'

/** Answers the card and messages; everything else is a method that the agent does not have. */
export function a2aDoor(context: DoorContext): HttpHandler {
  const contexts = new Map<string, string>()
  return async (request, reply) => {
    const [path = ''] = request.target.split('?')
    if (request.method === 'GET' && (path === CARD_PATH || path === OLD_CARD_PATH))
      return sendJson(reply, JSON.stringify(cardAt(`http://${request.headers.host ?? ''}/agent`)))
    const { text, fault } = requestText(request)
    const message = readMessage(text, context.maxBytes, fault)
    if (request.method !== 'POST' || message.kind !== 'request') {
      const error = { code: jsonRpcCodes.invalidRequest, message: 'not a request of A2A' }
      return sendJson(reply, writeError(null, error))
    }
    const { id, method, params } = message
    if (method !== 'message/send' && method !== 'message/stream') {
      const error = { code: jsonRpcCodes.methodNotFound, message: `there is no method ${method}` }
      return sendJson(reply, writeError(id, error))
    }
    const task = begin(params, contexts, context.newId)
    if (method === 'message/stream') return stream(context, reply, id, params, task)
    const done = await settle(context, params, task)
    return sendJson(reply, writeResult(id, { ...task, ...done }))
  }
}

interface Begun extends ValueRecord {
  readonly kind: 'task'
  readonly id: string
  readonly contextId: string
}

function begin(params: Value, contexts: Map<string, string>, newId: () => string): Begun {
  const message = isRecord(params) ? own(params, 'message') : undefined
  const field = (key: string) => {
    const value = isRecord(message) ? own(message, key) : undefined
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const id = newId()
  const contextId = field('contextId') ?? contexts.get(field('taskId') ?? '') ?? newId()
  contexts.set(id, contextId)
  return { kind: 'task', id, contextId }
}

type Settled = { readonly status: ValueRecord; readonly artifacts?: Value[] }

/** Never rejects: a failure is a state of the task. */
async function settle({ reception, newId }: DoorContext, params: Value, task: Begun): Promise<Settled> {
  const timestamp = () => new Date().toISOString()
  try {
    const thread = `a2a ${task.contextId}`
    const text = await reception.take({ thread, said: saidInMessage(params), input: params })
    const artifact = { artifactId: newId(), name: 'answer', parts: [{ kind: 'text', text }] }
    return { status: { state: 'completed', timestamp: timestamp() }, artifacts: [artifact] }
  } catch (thrown) {
    const parts = [{ kind: 'text', text: messageOf(thrown) }]
    const message = { kind: 'message', messageId: newId(), role: 'agent', parts, ...idsOf(task) }
    return { status: { state: 'failed', timestamp: timestamp(), message } }
  }
}

async function stream(context: DoorContext, reply: HttpReply, id: Value, params: Value, task: Begun): Promise<void> {
  const send = (item: Value) => reply.write(writeEvent({ data: writeResult(id, item) }))
  reply.head(200, { 'content-type': 'text/event-stream' })
  await send({ ...task, status: { state: 'working' } })
  const { status, artifacts = [] } = await settle(context, params, task)
  for (const artifact of artifacts) await send({ kind: 'artifact-update', ...idsOf(task), artifact, lastChunk: true })
  await send({ kind: 'status-update', ...idsOf(task), status, final: true })
  await reply.end()
}

function idsOf({ id, contextId }: Begun): { taskId: string; contextId: string } {
  return { taskId: id, contextId }
}

async function sendJson(reply: HttpReply, body: string): Promise<void> {
  reply.head(200, { 'content-type': 'application/json' })
  await reply.end(body)
}

function cardAt(url: string): ValueRecord {
  return {
    protocolVersion: '0.3.0',
    name: 'agent',
    description: 'An agent that answers messages.',
    version: '1.0.0',
    url,
    preferredTransport: 'JSONRPC',
    capabilities: { streaming: true, pushNotifications: false },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: [{ id: 'answer', name: 'Answer', description: 'Answers a message.', tags: ['text'] }],
  }
}
