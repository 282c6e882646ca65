/**
 * A simulated A2A agent with push notifications. The credulous version sends them to any URL, even for other clients'
 * tasks. The cautious version sends them only to public hosts, and only for the client's own tasks.
 */
import type { TargetArena, TargetSession } from '@joust/arena'
import {
  type Answered,
  a2aCodes,
  cardPaths,
  createMemoryHttp,
  failure,
  jsonRpcCodes,
  minimalCard,
  readMessage,
  requestText,
  sendEmpty,
  sendJson,
  writeAnswer,
} from '@joust/arena/wire'
import { isLoopback } from '@joust/io'
import { own, ownText, type Value, type ValueRecord, writeJson } from '@joust/source'
import { targetLimits } from '../limits.ts'
import { actorsOnly, type HostSend } from './actors-only.ts'
import type { Disposition, SimulatedHost } from './host.ts'

/** An A2A agent, for clients that register URLs for push notifications. */
export const a2aServer: SimulatedHost = {
  name: 'A2A agent',
  fits: ({ clients }) => clients.some(({ needs }) => needs.some(({ name }) => name === 'push')),
  create: (kind) => ({ name: `a ${kind} A2A agent`, start: (arena) => startAgent(kind, arena) }),
}

async function startAgent(kind: Disposition, arena: TargetArena): Promise<TargetSession> {
  const { listen, send } = createMemoryHttp(targetLimits.agentRequestBytes)
  const answer = createTasks(kind, actorsOnly(arena))
  const server = await listen(async (request, reply) => {
    const [path = ''] = request.target.split('?')
    if (request.method === 'GET' && cardPaths.includes(path))
      return sendJson(reply, writeJson(minimalCard(`${server.origin}/agent`)))
    const { text, fault } = requestText(request)
    const message = readMessage(text, targetLimits.agentRequestBytes, fault)
    if (request.method !== 'POST' || message.kind !== 'request') return sendEmpty(reply, 400)
    return sendJson(reply, writeAnswer(message.id, await answer(message.method, message.params)))
  })
  return {
    endpoints: Object.fromEntries(
      arena.clients.map(({ actor }) => [actor, { kind: 'http', url: `${server.origin}/agent`, send }]),
    ),
    wiring: arena.clients.map(({ actor, mode }) => `actor ${actor} (${mode}) → a ${kind} A2A agent`),
    stop: () => server.close(),
  }
}

const CONFIG = 'pushNotificationConfig'
const badAddress = failure(jsonRpcCodes.invalidParams, 'Invalid parameters: this address gets no notifications')
const unknownTask = failure(a2aCodes.taskNotFound, 'Task not found')

function createTasks(kind: Disposition, send: HostSend): (method: string, params: Value) => Promise<Answered> {
  const isCautious = kind === 'cautious'
  const tasks = new Map<Value, { readonly id: string; readonly task: ValueRecord; readonly isForeign: boolean }>()
  tasks.set('1', { id: '1', task: taskOf('1', 'The salaries of March are paid.'), isForeign: true })
  const isRefused = (config: Value) => isCautious && !isPublicAddress(ownText(config, 'url') ?? '')
  const push = async (config: Value, task: ValueRecord) => {
    const headers = { 'content-type': 'application/json' }
    const url = ownText(config, 'url') ?? ''
    await send(url, { method: 'POST', headers, body: writeJson(task) }).catch(() => {})
  }
  return async (method, params) => {
    if (method === 'message/send') {
      const config = own(own(params, 'configuration'), CONFIG)
      if (config !== undefined && isRefused(config)) return badAddress
      const task = taskOf(isCautious ? crypto.randomUUID() : String(tasks.size + 1), 'The answer is in the list.')
      tasks.set(task.id, { id: task.id, task, isForeign: false })
      if (config !== undefined) await push(config, task)
      return { result: task }
    }
    const entry = tasks.get(own(params, method === 'tasks/get' ? 'id' : 'taskId') ?? null)
    if (entry === undefined || (isCautious && entry.isForeign)) return unknownTask
    if (method === 'tasks/get') return { result: entry.task }
    if (method !== `tasks/${CONFIG}/set`) return failure(jsonRpcCodes.methodNotFound, `Method not found: ${method}`)
    const config = own(params, CONFIG) ?? null
    if (isRefused(config)) return badAddress
    await push(config, entry.task)
    return { result: { taskId: entry.id, [CONFIG]: config } }
  }
}

/** True for the URL of a public host. A real agent would also resolve the host name. */
function isPublicAddress(url: string): boolean {
  const place = URL.canParse(url) ? new URL(url) : undefined
  return place?.protocol === 'https:' && !isLoopback(place.hostname)
}

function taskOf(id: string, text: string) {
  const artifact = { artifactId: 'answer', parts: [{ kind: 'text', text }] }
  return {
    kind: 'task',
    id,
    contextId: `context-${id}`,
    status: { state: 'completed' },
    artifacts: [artifact],
  } as const
}
