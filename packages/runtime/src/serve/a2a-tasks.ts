/** The tasks of a served agent, up to a limit: the oldest finished ones make room. */

import { type ListTasksRequest, type ListTasksResponse, type Task, TaskState } from '@a2a-js/sdk'
import { InMemoryTaskStore, type ServerCallContext, type TaskStore } from '@a2a-js/sdk/server'
import { runtimeLimits } from '../model/limits.ts'

const OVER: readonly (TaskState | undefined)[] = [
  TaskState.TASK_STATE_COMPLETED,
  TaskState.TASK_STATE_FAILED,
  TaskState.TASK_STATE_CANCELED,
  TaskState.TASK_STATE_REJECTED,
]

/** A store, and the tasks of one conversation in the order in which they began. */
export interface Tasks extends TaskStore {
  inContext(contextId: string, context: ServerCallContext): readonly Task[]
}

/** Keeps tasks in memory. What goes in and out is copied. */
export function createTasks(most: number = runtimeLimits.tasks): Tasks {
  const kept = new Map<string, { readonly task: Task; readonly tenant: string }>()
  const visible = (context: ServerCallContext) =>
    [...kept.values()].filter(({ tenant }) => tenant === tenantOf(context)).map(({ task }) => task)
  return {
    async save(task, context) {
      kept.set(task.id, { task: structuredClone(task), tenant: tenantOf(context) })
      if (kept.size <= most) return
      const over = [...kept].find(([, entry]) => OVER.includes(entry.task.status?.state))
      const [oldest] = over ?? [...kept.keys()]
      if (oldest !== undefined) kept.delete(oldest)
    },
    async load(id, context) {
      const entry = kept.get(id)
      return entry === undefined || entry.tenant !== tenantOf(context) ? undefined : structuredClone(entry.task)
    },
    async list(params: ListTasksRequest, context): Promise<ListTasksResponse> {
      // The SDK can filter and page; it has no store that forgets.
      const pages = new InMemoryTaskStore()
      for (const task of visible(context)) await pages.save(task, context)
      return pages.list(params, context)
    },
    inContext(contextId, context) {
      return visible(context).filter((task) => task.contextId === contextId)
    },
  }
}

function tenantOf({ tenant }: ServerCallContext): string {
  return tenant ?? ''
}
