/** Tasks of MCP 2025-11-25, if the document declares them. A task is complete by its first poll. */

import { isRecord, own, type Value, type ValueRecord } from '@joust/source'
import { arenaLimits, forgetOldest } from '../../model/limits.ts'
import { type Answered, failure, jsonRpcCodes } from '../json-rpc.ts'
import { META } from './protocol.ts'

/** A request, and the capabilities of its receiver. */
export interface TaskRequest {
  readonly method: string
  readonly params: Value
  readonly capabilities: Value
}

export interface Tasks {
  /** Answers a task method. Returns undefined for other or undeclared methods. */
  answer(request: TaskRequest): Answered | undefined
  /** Stores the response to a task request and returns the task; other responses are returned unchanged. */
  keep(request: TaskRequest, answer: Answered): Answered
}

interface StoredTask {
  readonly task: ValueRecord
  readonly answer: Answered
}

export function createTasks(newId: () => string, now: () => number): Tasks {
  const tasks = new Map<Value, StoredTask>()
  const list = (params: Value): Answered =>
    own(params, 'cursor') === undefined
      ? { result: { tasks: [...tasks.values()].map(({ task }) => task) } }
      : invalid('Invalid cursor')
  const about = (method: string, params: Value): Answered => {
    const stored = tasks.get(own(params, 'taskId') ?? null)
    if (stored === undefined) return invalid('Failed to retrieve task: Task not found')
    if (method === 'tasks/get') return { result: stored.task }
    if (method === 'tasks/result') return related(stored)
    return invalid('Cannot cancel task: already in a terminal status')
  }
  return {
    answer({ method, params, capabilities }) {
      if (!isDeclared(method, capabilities)) return undefined
      return method === 'tasks/list' ? list(params) : about(method, params)
    },
    keep(request, answer) {
      const options = own(request.params, 'task')
      if (!isRecord(options) || !takesTasks(request)) return answer
      const at = new Date(now()).toISOString()
      const facts = { taskId: newId(), createdAt: at, lastUpdatedAt: at, ttl: own(options, 'ttl') ?? null }
      tasks.set(facts.taskId, { task: { ...facts, status: hasFailed(answer) ? 'failed' : 'completed' }, answer })
      forgetOldest(tasks, arenaLimits.mcpTasks)
      // A new task is always reported as working.
      return { result: { task: { ...facts, status: 'working' } } }
    },
  }
}

/** True if the capabilities allow tasks for a method. */
export function takesTasks({ method, capabilities }: Pick<TaskRequest, 'method' | 'capabilities'>): boolean {
  const path = ['tasks', 'requests', ...method.split('/')]
  return isRecord(path.reduce<Value | undefined>((value, key) => own(value, key), capabilities))
}

/** `tasks` implies get and result; list and cancel are declared separately. */
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

function related({ task, answer }: StoredTask): Answered {
  if ('error' in answer || !isRecord(answer.result)) return answer
  const meta = own(answer.result, '_meta')
  const _meta = { ...(isRecord(meta) ? meta : {}), [`${META}related-task`]: { taskId: own(task, 'taskId') ?? null } }
  return { result: { ...answer.result, _meta } }
}

function invalid(message: string): Answered {
  return failure(jsonRpcCodes.invalidParams, message)
}
