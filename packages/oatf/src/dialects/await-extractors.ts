import { own } from '@joust/source'
import { attackDocument } from '../rules/rule.ts'
import type { Translation } from './translation.ts'

/** Ignores `await_extractors`, which has no equivalent: actors run concurrently, and triggers order them (D-010). */
export const awaitExtractors: Translation = {
  summary: '`await_extractors` is ignored; use triggers to order actors.',
  find: ({ phases }) =>
    phases.flatMap(({ path, value }) => {
      if (own(value, 'await_extractors') === undefined) return []
      const at = [...path, 'await_extractors']
      const message =
        '"await_extractors" is ignored, and a template without a value is empty; use a trigger to make a phase wait'
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
