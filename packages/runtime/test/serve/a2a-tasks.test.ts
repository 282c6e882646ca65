import { type Task, TaskState } from '@a2a-js/sdk'
import { ServerCallContext, UnauthenticatedUser } from '@a2a-js/sdk/server'
import { expect, it } from 'vitest'
import { createTasks } from '../../src/serve/a2a-tasks.ts'

const context = (tenant?: string) =>
  new ServerCallContext({ user: new UnauthenticatedUser(), ...(tenant === undefined ? {} : { tenant }) })

function task(id: string, state: TaskState, contextId = 'c'): Task {
  const status = { state, message: undefined, timestamp: undefined }
  return { id, contextId, status, artifacts: [], history: [], metadata: undefined }
}

it('the oldest finished tasks are dropped first', async () => {
  const tasks = createTasks(2)
  await tasks.save(task('works', TaskState.TASK_STATE_WORKING), context())
  await tasks.save(task('done', TaskState.TASK_STATE_COMPLETED), context())
  await tasks.save(task('new', TaskState.TASK_STATE_WORKING), context())
  expect(tasks.inContext('c', context()).map(({ id }) => id)).toEqual(['works', 'new'])
  await tasks.save(task('newer', TaskState.TASK_STATE_WORKING), context())
  expect(tasks.inContext('c', context()).map(({ id }) => id)).toEqual(['new', 'newer'])
})

it('tasks are visible to their tenant only, as copies', async () => {
  const tasks = createTasks()
  const kept = task('t', TaskState.TASK_STATE_WORKING)
  await tasks.save(kept, context('a'))
  kept.contextId = 'changed'
  expect(await tasks.load('t', context('b'))).toBeUndefined()
  expect(await tasks.load('t', context('a'))).toMatchObject({ contextId: 'c' })
  expect(tasks.inContext('c', context('b'))).toEqual([])
})
