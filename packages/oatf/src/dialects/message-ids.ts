import { own } from '@joust/source'
import { attackDocument } from '../rules/rule.ts'
import { sitesAt } from '../walk/walk.ts'
import type { Edit } from './edits.ts'
import { emptyId, type InputPlace, inputsOf } from './inputs.ts'
import { freshId, lacksId } from './places.ts'
import type { Occurrence, Translation } from './translation.ts'

/** Adds ids to messages for an AG-UI agent, because agents reject messages that have no id (D-011). */
export const messageIds: Translation = {
  summary: 'A message to an AG-UI agent has an `id`.',
  find: (places) => inputsOf(places).flatMap(identified),
  bad: attackDocument(`
    mode: ag_ui_client
    state:
      run_agent_input:
        threadId: t-1
        runId: r-1
        messages: [{ role: user, content: Hello. }]
`),
}

function identified(input: InputPlace): Occurrence[] {
  const messages = sitesAt(input, 'messages')
  const ids = new Set(messages.map(({ value }) => own(value, 'id')))
  return messages.flatMap(({ path, value }, index): Occurrence[] => {
    const written = own(value, 'id')
    if (!lacksId(written)) return []
    const id = freshId(`${input.name}-${index + 1}`, ids)
    const message = 'a message without an id is sent with a generated id'
    const edits: Edit[] = [{ op: 'set', path: [...path, 'id'], value: id, before: 'role', from: path }]
    return [{ at: path, message, edits, ...emptyId(written, 'an empty message id') }]
  })
}
