import { isList, isRecord, own, type Path, type Value, type ValueRecord } from '@joust/source'
import { attackDocument } from '../rules/rule.ts'
import { type Site, siteAt, sitesAt } from '../rules/walk.ts'
import { artifactEdits } from './a2a-artifacts.ts'
import { messageEdits } from './a2a-parts.ts'
import type { Edit } from './edits.ts'
import type { Found, Translation } from './translation.ts'

/** A task with a word for its status, its own message or artifacts with `content` is sent as in A2A 0.3 (D-014). */
export const a2aTasks: Translation = {
  summary: 'A task has the form of A2A 0.3: `status.state`, `status.message`, `artifacts[*].parts`.',
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

function shaped(task: Site, name: string): Found[] {
  const status = statusEdits(task, name)
  const artifacts = artifactEdits(sitesAt(task, 'artifacts'))
  if (status.length + artifacts.length === 0) return []
  const message = 'a task is sent in the form of A2A 0.3: status.state, status.message and artifacts[*].parts'
  const left =
    'a task without status.state, status.message or artifacts[*].parts is sent as written; clients of A2A 0.3 refuse it'
  return [{ at: task.path, message, edits: [...status, ...artifacts], left }]
}

/** `status: completed`, `message: {…}` and `messages: […]` make a status with a state and a message. */
function statusEdits(task: Site, name: string): Edit[] {
  const { path, value } = task
  if (own(value, 'parts') !== undefined) return []
  const at = [...path, 'status']
  const status = own(value, 'status')
  if (status !== undefined && typeof status !== 'string' && !isRecord(status)) return []
  const said = isRecord(status) && own(status, 'message') !== undefined ? [] : saidEdits(task, name)
  if (typeof status === 'string') return [{ op: 'set', path: at, value: { state: status } }, ...said]
  if (status !== undefined || said.length === 0) return said
  return [{ op: 'set', path: at, value: { state: 'completed' }, from: path }, ...said]
}

function saidEdits(task: Site, name: string): Edit[] {
  const { path, value } = task
  const to = [...path, 'status', 'message']
  const from = [...path, 'message']
  const message = own(value, 'message')
  if (isMessage(message)) return messageMoved({ from, to, message, id: `${name}-message` })
  return lastOf(task, name)
}

/** The last message becomes that of the status; those before it are appended to the history. */
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

/** A message at its new place, completed; a plain text becomes its only part. */
function messageMoved({ from, to, message, id }: MovedMessage): Edit[] {
  if (typeof message !== 'string') {
    return [{ op: 'move', from, path: to }, ...messageEdits({ path: from, value: message }, id, 'agent', to)]
  }
  const made = { role: 'agent', kind: 'message', messageId: id, parts: [{ kind: 'text' }] }
  return [
    { op: 'set', path: to, value: made, from },
    { op: 'move', from, path: [...to, 'parts', 0, 'text'] },
  ]
}
