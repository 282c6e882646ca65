/** The chat interface as an A2A 0.3 agent. Each message is a turn and returns a completed task. */

import type { HttpHandler, HttpReply } from '@joust/arena/wire'
import {
  cardPaths,
  failure,
  jsonRpcCodes,
  minimalCard,
  readMessage,
  requestText,
  sendJson,
  writeAnswer,
  writeEvent,
} from '@joust/arena/wire'
import { messageOf, own, ownText, type Value, type ValueRecord } from '@joust/source'
import type { ChatContext } from './conversations.ts'
import { messageInParams } from './request.ts'

/** Creates a handler that serves the agent card and handles messages. Other methods are unknown. */
export function a2aHandler(context: ChatContext): HttpHandler {
  const contexts = new Map<string, string>()
  return async (request, reply) => {
    const [path = ''] = request.target.split('?')
    if (request.method === 'GET' && cardPaths.includes(path))
      return sendJson(reply, JSON.stringify(cardAt(`http://${request.headers.host ?? ''}/agent`)))
    const { text, fault } = requestText(request)
    const message = readMessage(text, context.maxBytes, fault)
    if (request.method !== 'POST' || message.kind !== 'request') {
      const error = failure(jsonRpcCodes.invalidRequest, 'not an A2A request')
      return sendJson(reply, writeAnswer(null, error))
    }
    const { id, method, params } = message
    if (method !== 'message/send' && method !== 'message/stream') {
      const error = failure(jsonRpcCodes.methodNotFound, `Method not found: ${method}`)
      return sendJson(reply, writeAnswer(id, error))
    }
    const task = createTask(params, contexts, context.newId)
    if (method === 'message/stream') return stream(context, reply, id, params, task)
    const outcome = await runTask(context, params, task)
    return sendJson(reply, writeAnswer(id, { result: { ...task, ...outcome } }))
  }
}

interface Task extends ValueRecord {
  readonly kind: 'task'
  readonly id: string
  readonly contextId: string
}

function createTask(params: Value, contexts: Map<string, string>, newId: () => string): Task {
  const message = own(params, 'message')
  const id = newId()
  const contextId = ownText(message, 'contextId') || contexts.get(ownText(message, 'taskId') ?? '') || newId()
  contexts.set(id, contextId)
  return { kind: 'task', id, contextId }
}

type TaskOutcome = { readonly status: ValueRecord; readonly artifacts?: Value[] }

/** Runs one task. Never rejects, because a failure is a task state. */
async function runTask({ conversations, newId }: ChatContext, params: Value, task: Task): Promise<TaskOutcome> {
  const timestamp = () => new Date().toISOString()
  try {
    const thread = `a2a ${task.contextId}`
    const text = await conversations.send({ thread, message: messageInParams(params), input: params })
    const artifact = { artifactId: newId(), name: 'answer', parts: [{ kind: 'text', text }] }
    return { status: { state: 'completed', timestamp: timestamp() }, artifacts: [artifact] }
  } catch (thrown) {
    const parts = [{ kind: 'text', text: messageOf(thrown) }]
    const message = { kind: 'message', messageId: newId(), role: 'agent', parts, ...idsOf(task) }
    return { status: { state: 'failed', timestamp: timestamp(), message } }
  }
}

async function stream(context: ChatContext, reply: HttpReply, id: Value, params: Value, task: Task): Promise<void> {
  const send = (result: Value) => reply.write(writeEvent({ data: writeAnswer(id, { result }) }))
  reply.head(200, { 'content-type': 'text/event-stream' })
  await send({ ...task, status: { state: 'working' } })
  const { status, artifacts = [] } = await runTask(context, params, task)
  for (const artifact of artifacts) await send({ kind: 'artifact-update', ...idsOf(task), artifact, lastChunk: true })
  await send({ kind: 'status-update', ...idsOf(task), status, final: true })
  await reply.end()
}

function idsOf({ id, contextId }: Task): { taskId: string; contextId: string } {
  return { taskId: id, contextId }
}

function cardAt(url: string): ValueRecord {
  const { supportsAuthenticatedExtendedCard: _, ...card } = minimalCard(url)
  return {
    ...card,
    name: 'agent',
    description: 'An agent that answers messages.',
    capabilities: { streaming: true, pushNotifications: false },
    skills: [{ id: 'answer', name: 'Answer', description: 'Answers a message.', tags: ['text'] }],
  }
}
