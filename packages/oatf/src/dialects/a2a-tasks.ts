import { isRecord, own, type Path } from '@joust/source'
import { messageEdits } from './a2a-parts.ts'
import type { Edit } from './edits.ts'
import { type Place, placeAt, placesAt } from './places.ts'
import type { Found, Translation } from './translation.ts'

/** A task with a word for its status, a message of its own or artifacts with `content` is sent as A2A 0.3 has it (D-014). */
export const a2aTasks: Translation = ({ phases }) =>
  phases.flatMap(({ state, mode, actor, name }) => {
    if (state === undefined || mode !== 'a2a_server') return []
    return placesAt(state, 'task_responses').flatMap((entry, index) => {
      const task = placeAt(entry, 'content')
      return task === undefined ? [] : shaped(task, `${actor}-${name}-answer-${index + 1}`)
    })
  })

function shaped(task: Place, name: string): Found[] {
  const status = statusEdits(task, name)
  const artifacts = placesAt(task, 'artifacts').flatMap(artifactEdits)
  if (status.length + artifacts.length === 0) return []
  const message = 'a task is sent in the form of A2A 0.3: status.state, status.message and artifacts[*].parts'
  return [{ at: task.path, message, edits: [...status, ...artifacts] }]
}

/** `status: completed`, `message: {…}` and `messages: […]` make a status with a state and a message. */
function statusEdits(task: Place, name: string): Edit[] {
  const { path, value } = task
  if (own(value, 'parts') !== undefined) return []
  const at = [...path, 'status']
  const status = own(value, 'status')
  const said = isRecord(status) && own(status, 'message') !== undefined ? [] : saidEdits(task, name)
  if (typeof status === 'string') return [{ op: 'set', path: at, value: { state: status } }, ...said]
  if (status !== undefined || said.length === 0) return said
  return [{ op: 'set', path: at, value: { state: 'completed' }, from: path }, ...said]
}

function saidEdits(task: Place, name: string): Edit[] {
  const { path, value } = task
  const to = [...path, 'status', 'message']
  const from = [...path, 'message']
  const message = placeAt(task, 'message')
  if (message !== undefined) {
    return [{ op: 'move', from, path: to }, ...messageEdits(message, `${name}-message`, 'agent', to)]
  }
  if (typeof own(value, 'message') === 'string') {
    const made = { role: 'agent', kind: 'message', messageId: `${name}-message`, parts: [{ kind: 'text' }] }
    return [
      { op: 'set', path: to, value: made, from },
      { op: 'move', from, path: [...to, 'parts', 0, 'text'] },
    ]
  }
  return lastOf(placesAt(task, 'messages'), path, name)
}

/** The last message is that of the status, those before it are history. */
function lastOf(messages: readonly Place[], path: Path, name: string): Edit[] {
  const last = messages.length - 1
  if (last < 0) return []
  const history = [...path, 'history']
  const moves = messages.flatMap((message, index): Edit[] => {
    const to = index === last ? [...path, 'status', 'message'] : [...history, index]
    const missing = messageEdits(message, `${name}-message-${index + 1}`, 'agent', to)
    return [{ op: 'move', from: message.path, path: to }, ...missing]
  })
  const from = [...path, 'messages']
  const before: Edit[] = last === 0 ? [] : [{ op: 'set', path: history, value: [], from }]
  return [...before, ...moves, { op: 'remove', path: from }]
}

/** What an artifact holds where it has no parts. */
const HELD = ['content', 'text', 'data'] as const

function artifactEdits({ path, value }: Place, index: number): Edit[] {
  const key = HELD.find((name) => own(value, name) !== undefined)
  if (key === undefined || own(value, 'parts') !== undefined) return []
  const from = [...path, key]
  const parts = [...path, 'parts']
  const kind = typeof own(value, key) === 'string' ? 'text' : 'data'
  const typed = typeof own(value, 'type') === 'string'
  const id: Edit = { op: 'set', path: [...path, 'artifactId'], value: `artifact-${index + 1}`, from: path }
  const mime: Edit = { op: 'move', from: [...path, 'type'], path: [...parts, 0, 'metadata', 'mimeType'] }
  return [
    ...(own(value, 'artifactId') === undefined ? [id] : []),
    { op: 'set', path: parts, value: [typed ? { kind, metadata: {} } : { kind }], before: key, from },
    { op: 'move', from, path: [...parts, 0, kind] },
    ...(typed ? [mime] : []),
  ]
}
