import { own } from '@joust/source'
import { attackDocument } from '../rules/rule.ts'
import type { Translation } from './translation.ts'

/** `await_extractors` of a phase has no successor: actors run side by side, and triggers give them an order (D-010). */
export const awaitExtractors: Translation = {
  summary: '`await_extractors` is left out: triggers give actors an order.',
  find: ({ phases }) =>
    phases.flatMap(({ path, value }) => {
      if (own(value, 'await_extractors') === undefined) return []
      const at = [...path, 'await_extractors']
      const message =
        '"await_extractors" is left out: nobody waits, and a template whose value is not there yet is empty; a trigger makes a phase wait'
      return [{ at, key: true, message, edits: [{ op: 'remove', path: at }] }]
    }),
  bad: attackDocument(`
    mode: mcp_client
    phases:
      - name: ask
        await_extractors: [{ actor: server, extractors: [token] }]
        state: { actions: [{ method: tools/list }] }
`),
}
