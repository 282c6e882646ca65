/**
 * Remote agents on the official SDKs, for protocols 1.0 and 0.3, both playing the same script. The SDKs share no types,
 * so each has its own executor. The agents of the arena's tests only echo, and also speak 0.3 through SDK 1.0.
 */
import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { Role, TaskState } from '@a2a-js/sdk'
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
import { bodyOf, type Serve } from './http.ts'

/** One thing that the agent does: answers, reports the state of its task, or sends a piece of its result. */
type Move =
  | { readonly message: string }
  | { readonly state: 'working' | 'completed' | 'failed' | 'rejected' | 'input-required'; readonly text?: string }
  | { readonly artifact: string; readonly append?: boolean }
  | { readonly data: Readonly<Record<string, unknown>> }

/** What the agent does with a message; `again` says whether the message continues a task. */
export type Script = (text: string, again: boolean) => readonly Move[] | Promise<readonly Move[]>

/** A request as it came. */
interface Heard {
  readonly method: string
  readonly params: { readonly message?: unknown; readonly configuration?: unknown; readonly id?: string }
  readonly headers: Readonly<Record<string, unknown>>
}

/** Where the agent listens, and what it received. */
export interface RemoteServer {
  readonly url: string
  readonly heard: Heard[]
}

const skill = { id: 'sum', name: 'Summing', description: 'Sums things up.', tags: ['short'], examples: ['Sum this up'] }

const states = {
  working: TaskState.TASK_STATE_WORKING,
  completed: TaskState.TASK_STATE_COMPLETED,
  failed: TaskState.TASK_STATE_FAILED,
  rejected: TaskState.TASK_STATE_REJECTED,
  'input-required': TaskState.TASK_STATE_INPUT_REQUIRED,
}

/** An agent that speaks protocol 1.0. */
export async function serveAgent(serve: Serve, script: Script, streaming = false): Promise<RemoteServer> {
  return serveCard(
    serve,
    (url) => ({
      name: 'Summer',
      description: 'An agent that sums.',
      version: '1',
      capabilities: { streaming, extensions: [] },
      defaultInputModes: ['text/plain'],
      defaultOutputModes: ['text/plain'],
      skills: [skill],
      supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', tenant: '', protocolVersion: '1.0' }],
    }),
    (card) => {
      // Nothing here reads the fields that a card on the wire may leave out.
      const handler = new DefaultRequestHandler(card as never, new InMemoryTaskStore(), executor(script))
      const rpc = new JsonRpcTransportHandler(handler)
      const user = new UnauthenticatedUser()
      return (body) => rpc.handle(body, new ServerCallContext({ user, requestedVersion: '1.0' }))
    },
  )
}

/** The same agent, speaking protocol 0.3. */
export async function serveAgent03(serve: Serve, script: Script, streaming = false): Promise<RemoteServer> {
  return serveCard(
    serve,
    (url) => ({
      protocolVersion: '0.3.0',
      name: 'Summer',
      description: 'An agent that sums.',
      version: '1',
      url,
      preferredTransport: 'JSONRPC',
      capabilities: { streaming },
      defaultInputModes: ['text/plain'],
      defaultOutputModes: ['text/plain'],
      skills: [skill],
    }),
    (card) => {
      // As above.
      const handler = new DefaultRequestHandler03(card as never, new InMemoryTaskStore03(), executor03(script))
      const rpc = new JsonRpcTransportHandler03(handler)
      return (body) => rpc.handle(body)
    },
  )
}

type Handle = (body: Record<string, unknown>) => Promise<unknown>

async function serveCard(serve: Serve, cardFor: (url: string) => object, handlerFor: (card: object) => Handle) {
  const heard: Heard[] = []
  let card = {}
  let handle: Handle = async () => ({})
  const base = await serve(async (request, response) => {
    if (request.method === 'GET') {
      response.setHeader('content-type', 'application/json').end(JSON.stringify(card))
      return
    }
    const body = JSON.parse(await bodyOf(request))
    heard.push({ method: body.method, params: body.params, headers: request.headers })
    await reply(response, await handle(body))
  })
  card = cardFor(`${base}/rpc`)
  handle = handlerFor(card)
  return { url: base, heard }
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

function executor(script: Script): AgentExecutor {
  return {
    async execute({ taskId, contextId, userMessage, task }, bus) {
      const part = (value: string) => ({
        content: { $case: 'text' as const, value },
        ...blank,
        mediaType: 'text/plain',
      })
      const message = (text: string) => ({
        ...{ messageId: randomUUID(), role: Role.ROLE_AGENT, parts: [part(text)] },
        ...{ taskId, contextId, extensions: [], referenceTaskIds: [], metadata: undefined },
      })
      const status = (state: TaskState, text?: string) => ({
        ...{ state, timestamp: undefined, message: text === undefined ? undefined : message(text) },
      })
      const [first] = userMessage.parts
      const said =
        first?.content?.$case === 'data' ? JSON.stringify(first.content.value) : String(first?.content?.value)
      const moves = await script(said, task !== undefined)
      const [only] = moves
      if (only !== undefined && 'message' in only) {
        bus.publish(AgentEvent.message(message(only.message)))
        bus.finished()
        return
      }
      const submitted = status(TaskState.TASK_STATE_SUBMITTED)
      const fresh = {
        id: taskId,
        contextId,
        status: submitted,
        history: [userMessage],
        artifacts: [],
        metadata: undefined,
      }
      bus.publish(AgentEvent.task(task ?? fresh))
      for (const move of moves) {
        const ids = { taskId, contextId, metadata: undefined }
        if ('state' in move)
          bus.publish(AgentEvent.statusUpdate({ ...ids, status: status(states[move.state], move.text) }))
        if (!('artifact' in move) && !('data' in move)) continue
        const content = 'artifact' in move ? part(move.artifact) : dataPart(move.data)
        const artifact = {
          artifactId: 'a',
          name: '',
          description: '',
          parts: [content],
          extensions: [],
          metadata: undefined,
        }
        const append = 'artifact' in move && move.append === true
        bus.publish(AgentEvent.artifactUpdate({ ...ids, artifact, append, lastChunk: false }))
      }
      bus.finished()
    },
    async cancelTask() {},
  }
}

const blank = { metadata: undefined, filename: '' }

function dataPart(value: unknown) {
  return { content: { $case: 'data' as const, value }, ...blank, mediaType: 'application/json' }
}

function executor03(script: Script): Executor03 {
  return {
    async execute({ taskId, contextId, userMessage, task }, bus) {
      const message = (text: string) => ({
        ...{ kind: 'message' as const, messageId: randomUUID(), role: 'agent' as const },
        ...{ parts: [{ kind: 'text' as const, text }], taskId, contextId },
      })
      const [first] = userMessage.parts
      const moves = await script(first?.kind === 'text' ? first.text : JSON.stringify(first), task !== undefined)
      const [only] = moves
      if (only !== undefined && 'message' in only) {
        bus.publish(message(only.message))
        bus.finished()
        return
      }
      bus.publish(
        task ?? { kind: 'task', id: taskId, contextId, status: { state: 'submitted' }, history: [userMessage] },
      )
      for (const move of moves) {
        if ('state' in move) {
          const status = { state: move.state, ...(move.text === undefined ? {} : { message: message(move.text) }) }
          bus.publish({ kind: 'status-update', taskId, contextId, status, final: move.state !== 'working' })
        }
        if (!('artifact' in move) && !('data' in move)) continue
        const part =
          'artifact' in move
            ? { kind: 'text' as const, text: move.artifact }
            : { kind: 'data' as const, data: move.data }
        const append = 'artifact' in move && move.append === true
        bus.publish({
          kind: 'artifact-update',
          taskId,
          contextId,
          artifact: { artifactId: 'a', parts: [part] },
          append,
        })
      }
      bus.finished()
    },
    async cancelTask() {},
  }
}
