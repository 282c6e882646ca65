import { isList, isRecord, own, type Value } from '@joust/source'
import { responseListKeys } from '../model/enumerations.ts'
import { mcpServerDocument } from '../rules/rule.ts'
import { type Site, sitesAt } from '../walk/walk.ts'
import type { Edit } from './edits.ts'
import type { Occurrence, Translation } from './translation.ts'

/** Moves fields into the `content` of the response entry that they belong to (D-007). */
export const entryContent: Translation = {
  summary: '`response` of a response entry is read as `content`, and `isError` next to `content` as part of `content`.',
  find: ({ phases }) => phases.flatMap(({ state }) => (state === undefined ? [] : entriesOf(state).flatMap(completed))),
  bad: mcpServerDocument(`
    state:
      tools:
        - name: search
          inputSchema: { type: object }
          responses:
            - content: { content: [{ type: text, text: The index is gone. }] }
              isError: true
`),
}

function entriesOf(state: Site): Site[] {
  return [
    ...responseListKeys.flatMap((key) => sitesAt(state, key)),
    ...sitesAt(state, 'tools').flatMap((tool) => sitesAt(tool, 'responses')),
  ]
}

function completed({ path, value }: Site): Occurrence[] {
  const content = [...path, 'content']
  const renamed = own(value, 'content') === undefined && own(value, 'response') !== undefined
  const body = own(value, renamed ? 'response' : 'content')
  const response = [...path, 'response']
  const isError = [...path, 'isError']
  const findings: Occurrence[] = []
  if (renamed) {
    const message = '"response" of an entry is read as its "content"'
    findings.push({ at: response, key: true, message, edits: [{ op: 'move', from: response, path: content }] })
  }
  if (typeof own(value, 'isError') === 'boolean' && takesError(body)) {
    const message = '"isError" next to the content of a response is read as part of the content'
    // A bare list is the content of a result.
    const wrap: Edit[] = isList(body) ? [{ op: 'move', from: content, path: [...content, 'content'] }] : []
    const edits: Edit[] = [...wrap, { op: 'move', from: isError, path: [...content, 'isError'] }]
    findings.push({ at: isError, key: true, message, edits })
  }
  return findings
}

/** True for a tool result without `isError`. */
function takesError(result: Value | undefined): boolean {
  return isList(result) || (isRecord(result) && own(result, 'isError') === undefined)
}
