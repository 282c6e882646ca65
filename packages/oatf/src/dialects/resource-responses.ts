import { own } from '@joust/source'
import { type Place, placeAt, placesAt, statesOf } from './places.ts'
import type { Found, Translation } from './translation.ts'

/** The one answer under `responses` of a resource is its `content` (D-008). */
export const resourceResponses: Translation = (places) =>
  statesOf(places, 'mcp_server').flatMap((state) => placesAt(state, 'resources').flatMap(contentOf))

function contentOf(resource: Place): Found[] {
  const entries = placesAt(resource, 'responses')
  const [entry] = entries
  if (own(resource.value, 'content') !== undefined || entry === undefined || entries.length > 1) return []
  const holder = placeAt(entry, 'content') ?? entry
  const content = placesAt(holder, 'contents')[0] ?? holder
  const keys = ['text', 'blob'].filter((key) => Object.hasOwn(content.value, key))
  if (keys.length === 0) return []
  const at = [...resource.path, 'responses']
  const to = [...resource.path, 'content']
  return [
    {
      at,
      message: '"responses" of a resource is read as its "content"',
      edits: [
        { op: 'set', path: to, value: {}, before: 'responses', from: at },
        ...keys.map((key) => ({ op: 'move', from: [...content.path, key], path: [...to, key] }) as const),
        { op: 'remove', path: at },
      ],
    },
  ]
}
