import { isList, isRecord, own, type Path, type Value, type ValueRecord } from '@joust/source'
import { attackDocument } from '../rules/rule.ts'
import { type Site, siteAt, sitesAt } from '../walk/walk.ts'
import { artifactEdits } from './a2a-artifacts.ts'
import { messageEdits } from './a2a-parts.ts'
import type { Edit } from './edits.ts'
import type { Occurrence, Translation } from './translation.ts'

/** Converts a task to A2A 0.3 if it has a plain status, a message of its own, or artifacts with `content` (D-014). */
export const a2aTasks: Translation = {
  summary: 'A task is converted to A2A 0.3: `status.state`, `status.message`, `artifacts[*].parts`.',
  find: ({ phases }) =>
    phases.flatMap(({ state, mode, actor, name }) => {
      if (state === undefined || mode !== 'a2a_server') return []
      return sitesAt(state, 'task_responses').flatMap((entry, index) => {
        const task = siteAt(entry, 'content')
        return task === undefined ? [] : shaped(task, `${actor}-${name}-answer-${index + 1}`)
      })
    }),
  bad: attackDocument(`
    mode: a2a_server
    state:
      task_responses:
        - content:
            status: completed
            artifacts: [{ name: report.csv, type: text/csv, content: "id,total" }]
`),
}

function shaped(task: Site, name: string): Occurrence[] {
  const status = statusEdits(task, name)
  const artifacts = artifactEdits(sitesAt(task, 'artifacts'))
  if (status.length + artifacts.length === 0) return []
  const message = 'a task is converted to A2A 0.3: status.state, status.message and artifacts[*].parts'
  const unchanged = 'a task in a form other than that of A2A 0.3 is sent as written; A2A 0.3 clients reject it'
  return [{ at: task.path, message, edits: [...status, ...artifacts], unchanged }]
}

/** Combines `status: completed`, `message: {…}` and `messages: […]` into a status with a state and a message. */
function statusEdits(task: Site, name: string): Edit[] {
  const { path, value } = task
  if (own(value, 'parts') !== undefined) return []
  const at = [...path, 'status']
  const status = own(value, 'status')
  if (status !== undefined && typeof status !== 'string' && !isRecord(status)) return []
  const moves = isRecord(status) && own(status, 'message') !== undefined ? [] : movedMessageEdits(task, name)
  if (typeof status === 'string') return [{ op: 'set', path: at, value: { state: status } }, ...moves]
  if (status !== undefined || moves.length === 0) return moves
  return [{ op: 'set', path: at, value: { state: 'completed' }, from: path }, ...moves]
}

function movedMessageEdits(task: Site, name: string): Edit[] {
  const { path, value } = task
  const to = [...path, 'status', 'message']
  const from = [...path, 'message']
  const message = own(value, 'message')
  if (isMessage(message)) return messageMoved({ from, to, message, id: `${name}-message` })
  return lastOf(task, name)
}

/** Moves the last message to the status, and earlier messages to the history. */
function lastOf({ path, value }: Site, name: string): Edit[] {
  const messages = own(value, 'messages')
  const before = own(value, 'history')
  if (!isList(messages) || messages.length === 0 || !messages.every(isMessage)) return []
  if (before !== undefined && !isList(before)) return []
  const last = messages.length - 1
  const from = [...path, 'messages']
  const history = [...path, 'history']
  const begun: Edit = { op: 'set', path: history, value: [], from }
  const moves = messages.flatMap((message, index) => {
    const to = index === last ? [...path, 'status', 'message'] : [...history, (before?.length ?? 0) + index]
    return messageMoved({ from: [...from, index], to, message, id: `${name}-message-${index + 1}` })
  })
  return [...(last === 0 || before !== undefined ? [] : [begun]), ...moves, { op: 'remove', path: from }]
}

type Message = string | ValueRecord

function isMessage(value: Value | undefined): value is Message {
  return typeof value === 'string' || isRecord(value)
}

interface MovedMessage {
  readonly from: Path
  readonly to: Path
  readonly message: Message
  readonly id: string
}

/** Moves a message and adds missing fields; a plain string becomes its only part. */
function messageMoved({ from, to, message, id }: MovedMessage): Edit[] {
  if (typeof message !== 'string')
    return [{ op: 'move', from, path: to }, ...messageEdits({ path: from, value: message }, id, 'agent', to)]
  const wrapper = { role: 'agent', kind: 'message', messageId: id, parts: [{ kind: 'text' }] }
  return [
    { op: 'set', path: to, value: wrapper, from },
    { op: 'move', from, path: [...to, 'parts', 0, 'text'] },
  ]
}
