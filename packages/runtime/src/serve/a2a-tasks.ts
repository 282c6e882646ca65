/** Stores the tasks of a served agent, up to a limit. The oldest finished tasks are removed first. */
import { type ListTasksRequest, type ListTasksResponse, type Task, TaskState } from '@a2a-js/sdk'
import { InMemoryTaskStore, type ServerCallContext, type TaskStore } from '@a2a-js/sdk/server'
import { runtimeLimits } from '../model/limits.ts'

const FINAL_STATES: readonly (TaskState | undefined)[] = [
  TaskState.TASK_STATE_COMPLETED,
  TaskState.TASK_STATE_FAILED,
  TaskState.TASK_STATE_CANCELED,
  TaskState.TASK_STATE_REJECTED,
]

/** A task store that also lists the tasks of a conversation, in order. */
export interface Tasks extends TaskStore {
  inContext(contextId: string, context: ServerCallContext): readonly Task[]
}

/** Creates a task store in memory. Tasks are copied on save and load. */
export function createTasks(most: number = runtimeLimits.tasks): Tasks {
  const stored = new Map<string, { readonly task: Task; readonly tenant: string }>()
  const visible = (context: ServerCallContext) =>
    [...stored.values()].filter(({ tenant }) => tenant === tenantOf(context)).map(({ task }) => task)
  return {
    async save(task, context) {
      stored.set(task.id, { task: structuredClone(task), tenant: tenantOf(context) })
      if (stored.size <= most) return
      const finished = [...stored].find(([, entry]) => FINAL_STATES.includes(entry.task.status?.state))
      const [oldest] = finished ?? [...stored.keys()]
      if (oldest !== undefined) stored.delete(oldest)
    },
    async load(id, context) {
      const entry = stored.get(id)
      return entry === undefined || entry.tenant !== tenantOf(context) ? undefined : structuredClone(entry.task)
    },
    async list(params: ListTasksRequest, context): Promise<ListTasksResponse> {
      // The SDK's store filters and paginates, but has no limit.
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
