/** What MCP actors send (§7.1.4, §7.1.5). */
import { isList, isRecord, own, type Path, type Value, type ValueRecord } from '@joust/source'
import { DEFAULT_MCP_VERSION } from '../../bindings/mcp.ts'
import { actionDrafts, type Collector, type Draft, entriesAt, without } from './payload.ts'

/** Lists whose entries have a `content` for those who read them; that of a template is what its resources hold. */
const RESOURCES: readonly string[] = ['resources', 'resource_templates']

/** The answers of a server, and what it asks. */
export const mcpServerPayloads: Collector = (state, path) => [
  ...greeting(state, path),
  ...listDrafts(state, path),
  ...entriesAt(state, 'tools', path).flatMap((tool) => responses(tool.entry, tool.path, 'tools/call', toolResult)),
  ...entriesAt(state, 'prompts', path).flatMap((prompt) =>
    responses(prompt.entry, prompt.path, 'prompts/get', (entry) => without(entry, 'when', 'synthesize')),
  ),
  ...RESOURCES.flatMap((key) => entriesAt(state, key, path)).flatMap(resourceContents),
  ...entriesAt(state, 'elicitations', path).map(
    ({ entry, path: at }): Draft => ({
      surface: 'elicitation/create',
      direction: 'request',
      content: without(entry, 'when'),
      path: at,
      askedFor: true,
    }),
  ),
]

/** The requests of a client, and what it answers when it is asked. */
export const mcpClientPayloads: Collector = (state, path) => [
  ...actionDrafts(state, path),
  ...replies(state, path, 'sampling_responses', 'sampling/createMessage', (entry) => own(entry, 'content')),
  ...replies(state, path, 'elicitation_responses', 'elicitation/create', (entry) =>
    without(entry, 'when', 'synthesize'),
  ),
  ...(isList(own(state, 'roots'))
    ? [draft('roots/list', 'response', { roots: own(state, 'roots') ?? [] }, [...path, 'roots'])]
    : []),
]

function greeting(state: ValueRecord, path: Path): Draft[] {
  const names = { instructions: 'instructions', server_info: 'serverInfo', capabilities: 'capabilities' }
  const said = Object.entries(names).flatMap(([key, wire]): [string, Value][] => {
    const value = own(state, key)
    return value === undefined ? [] : [[wire, value]]
  })
  if (said.length === 0) return []
  const basis = {
    protocolVersion: own(state, 'protocol_version') ?? DEFAULT_MCP_VERSION,
    capabilities: {},
    serverInfo: { name: 'oatf-server', version: '1.0.0' },
  }
  return [draft('initialize', 'response', { ...basis, ...Object.fromEntries(said) }, path)]
}

const LISTS = [
  { key: 'tools', wire: 'tools', surface: 'tools/list' },
  { key: 'resources', wire: 'resources', surface: 'resources/list' },
  { key: 'resource_templates', wire: 'resourceTemplates', surface: 'resources/templates/list' },
  { key: 'prompts', wire: 'prompts', surface: 'prompts/list' },
] as const

function listDrafts(state: ValueRecord, path: Path): Draft[] {
  return LISTS.flatMap(({ key, wire, surface }) => {
    const items = own(state, key)
    if (!isList(items)) return []
    const shown = items.map((item) =>
      isRecord(item) ? without(item, 'responses', ...(RESOURCES.includes(key) ? ['content'] : [])) : item,
    )
    return [draft(surface, 'response', { [wire]: shown }, [...path, key])]
  })
}

function responses(
  owner: ValueRecord,
  path: Path,
  surface: string,
  content: (entry: ValueRecord) => Value | undefined,
): Draft[] {
  return replies(owner, path, 'responses', surface, content)
}

function replies(
  owner: ValueRecord,
  path: Path,
  key: string,
  surface: string,
  contentOf: (entry: ValueRecord) => Value | undefined,
): Draft[] {
  return entriesAt(owner, key, path).flatMap(({ entry, path: at }) => {
    const content = contentOf(entry)
    return content === undefined ? [] : [{ ...draft(surface, 'response', content, at), askedFor: true }]
  })
}

/** A bare list is sent as the `content` of a result. */
function toolResult(entry: ValueRecord): Value | undefined {
  const content = own(entry, 'content')
  return isList(content) ? { content } : content
}

function resourceContents({ entry, path }: { entry: ValueRecord; path: Path }): Draft[] {
  const content = own(entry, 'content')
  if (!isRecord(content)) return []
  const about = Object.fromEntries(Object.entries(entry).filter(([key]) => key === 'uri' || key === 'mimeType'))
  const message = { contents: [{ ...about, ...content }] }
  return [{ ...draft('resources/read', 'response', message, [...path, 'content']), askedFor: true }]
}

function draft(surface: string, direction: Draft['direction'], content: Value, path: Path): Draft {
  return { surface, direction, content, path }
}
