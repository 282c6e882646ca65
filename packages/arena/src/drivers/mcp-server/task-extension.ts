/**
 * The tasks extension of MCP 2026-07-28 (`io.modelcontextprotocol/tasks`), if the document and the request declare it:
 * a call to a tool whose `execution.taskSupport` is `optional` or `required` is answered with a task. The tool's
 * requests to the client are input requests of the task, and its result is inlined once the task has been polled.
 */
import { isRecord, own, setOwn, type Value, type ValueRecord } from '@joust/source'
import { declaredCapabilities } from '../../model/client-abilities.ts'
import { arenaLimits, forgetOldest } from '../../model/limits.ts'
import type { DriverContext } from '../driver.ts'
import { type Answered, failure, jsonRpcCodes } from '../json-rpc.ts'
import { isNotification, modernCodes } from '../mcp/protocol.ts'
import { type Call, type CallAnswer, type PriorMessage, serverIdentity } from './call.ts'

const EXTENSION = 'io.modelcontextprotocol/tasks'

/** Clients poll at this interval, in milliseconds. */
const POLL_MS = 100

interface Task {
  readonly taskId: string
  readonly createdAt: string
  status: 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled'
  readonly pending: Map<string, { readonly method: string; readonly params: Value }>
  /** Called once no input is pending. */
  readonly finish: () => Promise<CallAnswer>
  answer?: ValueRecord
  isPolled: boolean
}

export interface TaskExtension {
  /** Answers a task method. Returns undefined for other methods, or if the document does not declare the extension. */
  answer(call: Call, session: string | undefined): Promise<Answered | undefined>
  /** Answers a tool call with a task. Returns undefined if the tool or the client does not support tasks. */
  create(
    call: Call,
    tool: ValueRecord | undefined,
    respond: (call: Call) => Promise<CallAnswer>,
  ): Promise<CallAnswer | undefined>
}

export function createTaskExtension({ newId, clock }: DriverContext): TaskExtension {
  const tasks = new Map<Value, Task>()
  const now = () => new Date(clock.now()).toISOString()
  return {
    async answer(call, session) {
      if (!methods.has(call.method) || !declares(serverIdentity(call).capabilities)) return undefined
      if (!accepts(call)) return missingExtension()
      const task = tasks.get(own(call.params, 'taskId') ?? null)
      if (task === undefined) return failure(jsonRpcCodes.invalidParams, 'Task not found')
      if (call.method === 'tasks/cancel') cancel(task)
      else if (call.method === 'tasks/update') await update(task, call, session)
      else return { result: await detailsOf(task, call, session, now()) }
      return { result: { resultType: 'complete' } }
    },
    async create(call, tool, respond) {
      const support = own(own(tool, 'execution'), 'taskSupport')
      const isTask = support === 'optional' || support === 'required'
      if (!isTask || !declares(serverIdentity(call).capabilities)) return undefined
      if (!accepts(call)) return support === 'required' ? missingExtension() : undefined
      const requests: PriorMessage[] = []
      const collect = async (interludes: readonly PriorMessage[]) => {
        requests.push(...interludes.filter(({ method }) => !isNotification(method)))
        return { result: {} }
      }
      await respond({ ...call, interlude: collect })
      const pending = new Map<string, { readonly method: string; readonly params: Value }>()
      for (const [index, { method, params }] of requests.entries())
        pending.set(`input-${index + 1}`, { method, params: params() ?? {} })
      const finish = () => respond({ ...call, interlude: async () => undefined })
      const facts = { taskId: newId(), createdAt: now() }
      const status = pending.size > 0 ? 'input_required' : 'working'
      tasks.set(facts.taskId, { ...facts, status, pending, finish, isPolled: false })
      forgetOldest(tasks, arenaLimits.mcpTasks)
      const times = { lastUpdatedAt: facts.createdAt, ttlMs: null, pollIntervalMs: POLL_MS }
      return { result: { resultType: 'task', ...facts, status: 'working', ...times } }
    },
  }
}

const methods: ReadonlySet<string> = new Set(['tasks/get', 'tasks/update', 'tasks/cancel'])

function declares(capabilities: Value | undefined): boolean {
  return isRecord(own(own(capabilities, 'extensions'), EXTENSION))
}

function accepts({ method, params }: Call): boolean {
  return declares(declaredCapabilities(method, params))
}

function missingExtension(): Answered {
  const data = { requiredCapabilities: { extensions: { [EXTENSION]: {} } } }
  return failure(modernCodes.missingCapability, `Missing required client capability ${EXTENSION}`, data)
}

function cancel(task: Task): void {
  if (task.answer === undefined) task.status = 'cancelled'
}

/** The task continues once no input is pending. */
async function update(task: Task, { params, stage }: Call, session: string | undefined): Promise<void> {
  const replies = own(params, 'inputResponses')
  for (const [key, { method: surface }] of [...task.pending]) {
    const content = own(replies, key)
    if (content === undefined) continue
    task.pending.delete(key)
    await stage.receive({ direction: 'response', surface, content, session })
  }
  if (task.status === 'input_required' && task.pending.size === 0) task.status = 'working'
}

/** The first poll never completes a task. */
async function detailsOf(task: Task, call: Call, session: string | undefined, at: string): Promise<ValueRecord> {
  const { taskId, createdAt, pending } = task
  const isFirst = !task.isPolled
  task.isPolled = true
  const inputRequests: ValueRecord = {}
  for (const [key, content] of pending) {
    setOwn(inputRequests, key, { ...content })
    if (isFirst) {
      const { scene, stage } = call
      stage.record(scene, {
        direction: 'request',
        flow: 'out',
        surface: content.method,
        content: content.params,
        session,
      })
    }
  }
  if (task.status === 'working' && !isFirst) await complete(task)
  return {
    resultType: 'complete',
    taskId,
    status: task.status,
    createdAt,
    lastUpdatedAt: at,
    ttlMs: null,
    pollIntervalMs: POLL_MS,
    ...(task.status === 'input_required' && { inputRequests }),
    ...task.answer,
  }
}

/** An error in the tool itself is a result. */
async function complete(task: Task): Promise<void> {
  const answer = await task.finish()
  if (answer === 'open') return
  task.answer = answer
  task.status = 'error' in answer ? 'failed' : 'completed'
}
