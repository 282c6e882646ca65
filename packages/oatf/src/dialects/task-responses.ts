import { isRecord, own } from '@joust/source'
import { attackDocument } from '../rules/rule.ts'
import { type Site, sitesAt } from '../walk/walk.ts'
import type { Edit } from './edits.ts'
import { statesOf } from './places.ts'
import type { Occurrence, Translation } from './translation.ts'

const OF_A_TASK = [
  'id',
  'kind',
  'contextId',
  'status',
  'message',
  'messages',
  'artifacts',
  'history',
  'parts',
  'role',
  'metadata',
]

export const taskResponses: Translation = {
  summary:
    '`task_response`, `task`, and tasks directly in `task_responses` are read as the `content` of an entry of `task_responses`.',
  find: (places) =>
    statesOf(places, 'a2a_server').flatMap((state) => [
      ...single(state),
      ...sitesAt(state, 'task_responses').flatMap(wrapped),
    ]),
  bad: attackDocument(`
    mode: a2a_server
    state:
      task_response:
        status: { state: completed }
`),
}

/** Translates `task_response: {…}` and `task: {…}`. */
function single({ path, value }: Site): Occurrence[] {
  if (own(value, 'task_responses') !== undefined) return []
  const key = ['task_response', 'task'].find((name) => isRecord(own(value, name)))
  if (key === undefined) return []
  const from = [...path, key]
  const list = [...path, 'task_responses']
  const task = own(value, key)
  const whole = isRecord(task) && own(task, 'content') !== undefined && !hasTask(task)
  const message = `"${key}" is read as the only entry of "task_responses"`
  const added: Edit = { op: 'set', path: list, value: [whole ? null : {}], before: key, from }
  const moved: Edit = { op: 'move', from, path: whole ? [...list, 0] : [...list, 0, 'content'] }
  return [{ at: from, key: true, message, edits: [added, moved] }]
}

function wrapped({ path, value }: Site): Occurrence[] {
  if (own(value, 'content') !== undefined || own(value, 'synthesize') !== undefined || !hasTask(value)) return []
  const content = [...path, 'content']
  const moves = OF_A_TASK.filter((key) => Object.hasOwn(value, key)).map(
    (key): Edit => ({ op: 'move', from: [...path, key], path: [...content, key] }),
  )
  const message = 'a task directly in "task_responses" is read as the "content" of an entry'
  return [{ at: path, message, edits: [{ op: 'set', path: content, value: {}, from: path }, ...moves] }]
}

function hasTask(entry: Site['value']): boolean {
  return ['status', 'messages', 'message', 'artifacts', 'history', 'parts'].some((key) => Object.hasOwn(entry, key))
}
