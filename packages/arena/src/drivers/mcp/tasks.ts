/**
 * Tasks of MCP 2025-11-25: requests whose results are fetched later. Only used where the capabilities of the document
 * declare them; ours are done by the time somebody asks.
 */
import { isRecord, own, type Value, type ValueRecord } from '@joust/source'
import { arenaLimits, forgetOldest } from '../../model/limits.ts'
import { type Answered, failure, jsonRpcCodes } from '../json-rpc.ts'
import { META } from './protocol.ts'

/** A request, and the capabilities of whoever answers it. */
export interface TaskRequest {
  readonly method: string
  readonly params: Value
  readonly capabilities: Value
}

/** The tasks of one actor. */
export interface Tasks {
  /** Answers a method about tasks; undefined for any other method, and for one that is not declared. */
  answer(request: TaskRequest): Answered | undefined
  /** Keeps the answer to a request that wants to be a task, and returns the task; any other is returned as it is. */
  keep(request: TaskRequest, answer: Answered): Answered
}

interface Kept {
  readonly task: ValueRecord
  readonly answer: Answered
}

/** The tasks of one actor. */
export function createTasks(newId: () => string, now: () => number): Tasks {
  const tasks = new Map<Value, Kept>()
  const list = (params: Value): Answered =>
    own(params, 'cursor') === undefined
      ? { result: { tasks: [...tasks.values()].map(({ task }) => task) } }
      : invalid('Invalid cursor')
  const about = (method: string, params: Value): Answered => {
    const kept = tasks.get(own(params, 'taskId') ?? null)
    if (kept === undefined) return invalid('Failed to retrieve task: Task not found')
    if (method === 'tasks/get') return { result: kept.task }
    if (method === 'tasks/result') return related(kept)
    return invalid('Cannot cancel task: already in a terminal status')
  }
  return {
    answer({ method, params, capabilities }) {
      if (!isDeclared(method, capabilities)) return undefined
      return method === 'tasks/list' ? list(params) : about(method, params)
    },
    keep(request, answer) {
      const wanted = own(request.params, 'task')
      if (!isRecord(wanted) || !takesTasks(request)) return answer
      const at = new Date(now()).toISOString()
      const facts = { taskId: newId(), createdAt: at, lastUpdatedAt: at, ttl: own(wanted, 'ttl') ?? null }
      tasks.set(facts.taskId, { task: { ...facts, status: hasFailed(answer) ? 'failed' : 'completed' }, answer })
      forgetOldest(tasks, arenaLimits.mcpTasks)
      // A task starts out as being worked on, whatever has become of it by now.
      return { result: { task: { ...facts, status: 'working' } } }
    },
  }
}

/** Whether a request of this method may become a task. */
export function takesTasks({ method, capabilities }: Pick<TaskRequest, 'method' | 'capabilities'>): boolean {
  const path = ['tasks', 'requests', ...method.split('/')]
  return isRecord(path.reduce<Value | undefined>((value, key) => own(value, key), capabilities))
}

/** With tasks, finding and fetching them is included; listing and cancelling are declared separately. */
function isDeclared(method: string, capabilities: Value): boolean {
  const declared = own(capabilities, 'tasks')
  if (!isRecord(declared)) return false
  if (method === 'tasks/list') return isRecord(own(declared, 'list'))
  if (method === 'tasks/cancel') return isRecord(own(declared, 'cancel'))
  return method === 'tasks/get' || method === 'tasks/result'
}

function hasFailed(answer: Answered): boolean {
  return 'error' in answer || (isRecord(answer.result) && own(answer.result, 'isError') === true)
}

/** The result as it would have been, with the task it belongs to. */
function related({ task, answer }: Kept): Answered {
  if ('error' in answer || !isRecord(answer.result)) return answer
  const meta = own(answer.result, '_meta')
  const _meta = { ...(isRecord(meta) ? meta : {}), [`${META}related-task`]: { taskId: own(task, 'taskId') ?? null } }
  return { result: { ...answer.result, _meta } }
}

function invalid(message: string): Answered {
  return failure(jsonRpcCodes.invalidParams, message)
}
