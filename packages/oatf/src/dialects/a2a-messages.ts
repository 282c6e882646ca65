import { own } from '@joust/source'
import { attackDocument } from '../rules/rule.ts'
import { type Site, siteAt, sitesAt } from '../walk/walk.ts'
import { kindEdits, messageEdits, partEdits } from './a2a-parts.ts'
import type { Edit } from './edits.ts'
import type { PhasePlace } from './places.ts'
import type { Occurrence, Translation } from './translation.ts'

export const a2aMessages: Translation = {
  summary: 'A2A messages and parts are converted to A2A 0.3, with `kind` and `messageId`.',
  find: ({ phases }) => phases.flatMap(inPhase),
  bad: attackDocument(`
    mode: a2a_server
    state:
      task_responses:
        - content:
            status:
              state: completed
              message: { role: agent, parts: [{ type: text, text: Done. }] }
`),
}

function inPhase(phase: PhasePlace): Occurrence[] {
  const { state, mode } = phase
  if (state === undefined) return []
  const name = `${phase.actor}-${phase.name}`
  if (mode === 'a2a_client') return completed(sentBy(state), name, 'user')
  if (mode !== 'a2a_server') return []
  const contents = sitesAt(state, 'task_responses').flatMap((entry) => siteAt(entry, 'content') ?? [])
  const artifacts = contents.flatMap((task) => sitesAt(task, 'artifacts'))
  // If a message is the whole response, its id is generated when it is sent.
  const answers = contents.filter(({ value }) => own(value, 'parts') !== undefined)
  return [
    ...completed(contents.flatMap(messagesIn), name, 'agent'),
    ...[...answers, ...artifacts].flatMap((holder) => occurrencesOf(holder, [])),
  ]
}

function sentBy(state: Site): Site[] {
  const params = sitesAt(state, 'actions').flatMap((action) => siteAt(action, 'params') ?? [])
  return params.flatMap((one) => siteAt(one, 'message') ?? [])
}

function messagesIn(task: Site): Site[] {
  const status = siteAt(task, 'status')
  const message = status && siteAt(status, 'message')
  return [...sitesAt(task, 'history'), ...(message === undefined ? [] : [message])]
}

function completed(messages: readonly Site[], name: string, role: 'agent' | 'user'): Occurrence[] {
  return messages.flatMap((message, index) => {
    return occurrencesOf(message, messageEdits(message, `${name}-message-${index + 1}`, role))
  })
}

/** Returns the occurrence for parts in an old form, if any. `rest` adds the fields that `holder` lacks. */
function occurrencesOf(holder: Site, rest: readonly Edit[]): Occurrence[] {
  const parts = partEdits(holder)
  if (parts.length === 0) return []
  const kinds = kindEdits(holder)
  const message = 'a message or part is converted to A2A 0.3: "kind" instead of "type", and a "messageId"'
  const added = 'a message or part is sent with the "kind" and "messageId" that A2A 0.3 requires'
  const filled = rest.length + kinds.length === 0 ? undefined : { message: added, edits: [...rest, ...kinds] }
  const asWritten = 'a part that is a plain string is sent as written; A2A 0.3 does not allow it'
  const unchanged = kinds.length === parts.length ? undefined : asWritten
  return [{ at: holder.path, message, edits: [...rest, ...parts], filled, unchanged }]
}
