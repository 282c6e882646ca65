import { isList, isRecord, own } from '@joust/source'
import { responseListKeys } from '../model/response-lists.ts'
import { type Place, placesAt } from './places.ts'
import type { Found, Translation } from './translation.ts'

/** What belongs into the `content` of a response entry and stands beside it, or under another name, is put there (D-007). */
export const entryContent: Translation = {
  summary: '`response` of a response entry, and `isError` beside its content, are the `content`.',
  find: ({ phases }) => phases.flatMap(({ state }) => (state === undefined ? [] : entriesOf(state).flatMap(completed))),
  bad: `
oatf: "0.1"
attack:
  execution:
    mode: mcp_server
    state:
      tools:
        - name: search
          description: Searches.
          responses:
            - content: { content: [{ type: text, text: The index is gone. }] }
              isError: true
`,
}

function entriesOf(state: Place): Place[] {
  return [
    ...responseListKeys.flatMap((key) => placesAt(state, key)),
    ...placesAt(state, 'tools').flatMap((tool) => placesAt(tool, 'responses')),
  ]
}

function completed({ path, value }: Place): Found[] {
  const content = own(value, 'content')
  const response = own(value, 'response')
  if (content === undefined && response !== undefined) {
    const from = [...path, 'response']
    const message = '"response" of an entry is read as its "content"'
    return [{ at: from, key: true, message, edits: [{ op: 'move', from, path: [...path, 'content'] }] }]
  }
  return isError({ path, value })
}

/** `isError` is a part of the result of a tool. */
function isError({ path, value }: Place): Found[] {
  const content = own(value, 'content')
  if (typeof own(value, 'isError') !== 'boolean') return []
  const at = [...path, 'isError']
  const result = [...path, 'content']
  const message = '"isError" beside the content of an answer is read as a part of it'
  if (isList(content)) {
    const edits = [
      { op: 'move', from: result, path: [...result, 'content'] },
      { op: 'move', from: at, path: [...result, 'isError'] },
    ] as const
    return [{ at, key: true, message, edits }]
  }
  if (!isRecord(content) || own(content, 'isError') !== undefined) return []
  return [{ at, key: true, message, edits: [{ op: 'move', from: at, path: [...result, 'isError'] }] }]
}
