import { own } from '@joust/source'
import { attackDocument } from '../rules/rule.ts'
import { siteAt } from '../walk/walk.ts'
import { messageEdits } from './a2a-parts.ts'
import { isVerbatim } from './places.ts'
import type { Translation } from './translation.ts'

export const taskMessage: Translation = {
  summary:
    '`task_message` of an A2A client is read as an action: `message/send`, or `message/stream` with `streaming`.',
  find: ({ attack, phases }) =>
    phases.flatMap(({ state, mode, actor, name }) => {
      const message = state === undefined || mode !== 'a2a_client' ? undefined : siteAt(state, 'task_message')
      if (state === undefined || message === undefined || own(state.value, 'actions') !== undefined) return []
      const streaming = own(state.value, 'streaming')
      const method = streaming === true ? 'message/stream' : 'message/send'
      const from = message.path
      const actions = [...state.path, 'actions']
      const to = [...actions, 0, 'params', 'message']
      return [
        {
          at: from,
          key: true,
          message: `"task_message" is read as an action "${method}"`,
          edits: [
            { op: 'set', path: actions, value: [{ method, params: {} }], before: 'task_message', from },
            { op: 'move', from, path: to },
            ...(isVerbatim({ attack }) ? [] : messageEdits(message, `${actor}-${name}-message`, 'user', to)),
            ...(typeof streaming === 'boolean' ? [{ op: 'remove', path: [...state.path, 'streaming'] } as const] : []),
          ],
        },
      ]
    }),
  bad: attackDocument(`
    mode: a2a_client
    state:
      streaming: true
      task_message:
        role: user
        parts: [{ kind: text, text: Summarize the report. }]
`),
}
