/** Payloads of MCP actors ([OATF §7.1.4](https://oatf.io/specification/protocol-bindings/mcp/), §7.1.5). */
import { isList, isRecord, own, type Path, type Value, type ValueRecord } from '@joust/source'
import { DEFAULT_MCP_VERSION } from '../../bindings/mcp.ts'
import { type Site, sitesAt, without } from '../../walk/walk.ts'
import { actionDrafts, type Collector, type Draft } from './payload.ts'

/** Lists of resources. The `content` of a resource is sent when the resource is read. */
const RESOURCES: readonly string[] = ['resources', 'resource_templates']

export const mcpServerPayloads: Collector = (state) => [
  ...greeting(state),
  ...listDrafts(state),
  ...sitesAt(state, 'tools').flatMap((tool) => replies(tool, 'responses', 'tools/call', toolResult)),
  ...sitesAt(state, 'prompts').flatMap((prompt) => replies(prompt, 'responses', 'prompts/get', chosen)),
  ...RESOURCES.flatMap((key) => sitesAt(state, key)).flatMap(resourceContents),
  ...replies(state, 'x-joust-pages', 'http/page', (page) => own(page, 'content')),
  ...sitesAt(state, 'elicitations').map(({ path, value }) => {
    return { ...draft('elicitation/create', 'request', without(value, 'when'), path), askedFor: true }
  }),
]

export const mcpClientPayloads: Collector = (state) => [
  ...actionDrafts(state),
  ...replies(state, 'sampling_responses', 'sampling/createMessage', (entry) => own(entry, 'content')),
  ...replies(state, 'elicitation_responses', 'elicitation/create', chosen),
  ...(isList(own(state.value, 'roots'))
    ? [draft('roots/list', 'response', { roots: own(state.value, 'roots') ?? [] }, [...state.path, 'roots'])]
    : []),
]

function chosen(entry: ValueRecord): Value {
  return without(entry, 'when', 'synthesize')
}

function greeting({ path, value: state }: Site): Draft[] {
  const names = { instructions: 'instructions', server_info: 'serverInfo', capabilities: 'capabilities' }
  const fields = Object.entries(names).flatMap(([key, wire]): [string, Value][] => {
    const value = own(state, key)
    return value === undefined ? [] : [[wire, value]]
  })
  if (fields.length === 0) return []
  const basis = {
    protocolVersion: own(state, 'protocol_version') ?? DEFAULT_MCP_VERSION,
    capabilities: {},
    serverInfo: { name: 'oatf-server', version: '1.0.0' },
  }
  return [draft('initialize', 'response', { ...basis, ...Object.fromEntries(fields) }, path)]
}

const LISTS = [
  { key: 'tools', wire: 'tools', surface: 'tools/list' },
  { key: 'resources', wire: 'resources', surface: 'resources/list' },
  { key: 'resource_templates', wire: 'resourceTemplates', surface: 'resources/templates/list' },
  { key: 'prompts', wire: 'prompts', surface: 'prompts/list' },
] as const

function listDrafts({ path, value: state }: Site): Draft[] {
  return LISTS.flatMap(({ key, wire, surface }) => {
    const items = own(state, key)
    if (!isList(items)) return []
    const listed = items.map((item) =>
      isRecord(item) ? without(item, 'responses', ...(RESOURCES.includes(key) ? ['content'] : [])) : item,
    )
    return [draft(surface, 'response', { [wire]: listed }, [...path, key])]
  })
}

function replies(
  owner: Site,
  key: string,
  surface: string,
  contentOf: (entry: ValueRecord) => Value | undefined,
): Draft[] {
  return sitesAt(owner, key).flatMap(({ path, value }) => {
    const content = contentOf(value)
    return content === undefined ? [] : [{ ...draft(surface, 'response', content, path), askedFor: true }]
  })
}

/** Converts a response to a tool result. A bare list becomes the `content` of the result. */
function toolResult(entry: ValueRecord): Value | undefined {
  const content = own(entry, 'content')
  return isList(content) ? { content } : content
}

function resourceContents({ path, value }: Site): Draft[] {
  const content = own(value, 'content')
  if (!isRecord(content)) return []
  const about = Object.fromEntries(Object.entries(value).filter(([key]) => key === 'uri' || key === 'mimeType'))
  const message = { contents: [{ ...about, ...content }] }
  return [{ ...draft('resources/read', 'response', message, [...path, 'content']), askedFor: true }]
}

function draft(surface: string, direction: Draft['direction'], content: Value, path: Path): Draft {
  return { surface, direction, content, path }
}
