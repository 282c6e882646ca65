import { isList, own, type Path } from '@joust/source'
import { mcpServerDocument } from '../rules/rule.ts'
import { type Site, siteAt, sitesAt } from '../walk/walk.ts'
import type { Edit } from './edits.ts'
import { statesOf } from './places.ts'
import type { Occurrence, Translation } from './translation.ts'

/** Reads a single entry under `responses` of a resource as its `content`, and reports several entries (D-008). */
export const resourceResponses: Translation = {
  summary: '`responses` of a resource are read as its `content`.',
  find: (places) => statesOf(places, 'mcp_server').flatMap((state) => sitesAt(state, 'resources').flatMap(contentOf)),
  bad: mcpServerDocument(`
    state:
      resources:
        - uri: file:///notes.txt
          name: notes
          responses:
            - contents: [{ uri: file:///notes.txt, text: Buy milk. }]
`),
}

function contentOf(resource: Site): Occurrence[] {
  const entries = sitesAt(resource, 'responses')
  const [entry] = entries
  if (own(resource.value, 'content') !== undefined || entry === undefined) return []
  const at = [...resource.path, 'responses']
  if (entries.length > 1 || own(entry.value, 'when') !== undefined) {
    const message =
      '"responses" of a resource has several entries, but "content" can have only one; the resource is read as empty'
    return [{ at, key: true, message, edits: [] }]
  }
  const edits = contentEdits(entry, resource)
  if (edits.length === 0) return []
  const message = '"responses" of a resource is read as its "content"'
  return [{ at, key: true, message, edits: [...edits, { op: 'remove', path: at }] }]
}

function contentEdits(entry: Site, resource: Site): Edit[] {
  const holder = siteAt(entry, 'content') ?? entry
  const to = [...resource.path, 'content']
  const from = [...resource.path, 'responses']
  const listed = own(holder.value, 'contents')
  const contents = sitesAt(holder, 'contents')
  const [only = holder] = contents
  if (isList(listed) && listed.length > contents.length) return []
  if (contents.length > 1) {
    const begun: Edit = { op: 'set', path: to, value: contents.map(() => ({})), before: 'responses', from }
    return [begun, ...contents.flatMap((content, index) => moved(content, [...to, index], resource))]
  }
  if (own(only.value, 'text') === undefined && own(only.value, 'blob') === undefined) return []
  return [{ op: 'set', path: to, value: {}, before: 'responses', from }, ...moved(only, to, resource)]
}

/** Moves the fields of an entry. The URI is moved only if it differs from the resource's URI. */
function moved({ path, value }: Site, to: Path, resource: Site): Edit[] {
  const keys = Object.keys(value).filter((key) => key !== 'uri' || own(value, key) !== own(resource.value, 'uri'))
  return keys.map((key) => ({ op: 'move', from: [...path, key], path: [...to, key] }))
}
