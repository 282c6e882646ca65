/** Mappings in a state that are sent, or that select a response, with their possible keys. */
import { isList, isRecord, own, ownText, type Path, type Value } from '@joust/source'
import { TEXTS } from '../bindings/a2a-texts.ts'
import { messageShapes } from '../bindings/message-shapes.ts'
import type { Shape } from '../bindings/shape.ts'
import { alternatives } from '../bindings/shape-paths.ts'
import type { KnownMode } from '../model/enumerations.ts'
import { extractProtocol } from '../primitives/extract-protocol.ts'
import { type Site, sendsOf, siteAt, sitesAt, type Walk } from '../walk/walk.ts'

export interface KeyedPart extends Site {
  /** A noun for the mapping, used in messages. */
  readonly noun: string
  readonly keys: readonly string[]
  /** The allowed values by key, for closed enumerations. */
  readonly words?: ReadonlyMap<string, readonly string[]>
}

/**
 * A list of responses to select from ([OATF §7.0.1](https://oatf.io/specification/protocol-bindings/)), and the message
 * of the selected response.
 */
interface Dispatch {
  readonly mode: KnownMode
  /** The state key whose entries contain the list; undefined if the state itself contains it. */
  readonly owner?: string
  readonly key: string
  readonly surface: string
  readonly direction: 'request' | 'response'
  readonly keys: readonly string[]
  /** The key of the message in the entry; undefined if the entry is the message. */
  readonly holds?: string
}

const chosen = ['when', 'synthesize']
const content = { keys: [...chosen, 'content'], holds: 'content', direction: 'response' } as const
const prompt = { mode: 'mcp_server', owner: 'prompts', surface: 'prompts/get', direction: 'response' } as const
const elicited = { mode: 'mcp_client', surface: 'elicitation/create', direction: 'response' } as const

const dispatches: readonly Dispatch[] = [
  { ...content, mode: 'mcp_server', owner: 'tools', key: 'responses', surface: 'tools/call' },
  { ...prompt, key: 'responses', keys: [...chosen, 'messages', 'description'] },
  { ...content, mode: 'mcp_client', key: 'sampling_responses', surface: 'sampling/createMessage' },
  { ...elicited, key: 'elicitation_responses', keys: [...chosen, 'action', 'content'] },
  { ...content, mode: 'a2a_server', key: 'task_responses', surface: 'message/send' },
  { ...content, mode: 'ag_ui_client', key: 'tool_responses', surface: 'tool_call_result' },
]

/** Returns the mappings below state entries. If `verbatim` is set, returns only those that select a response. */
export function writtenParts({ phases }: Walk, verbatim: boolean): readonly KeyedPart[] {
  return phases.flatMap((phase) => {
    const state = siteAt(phase, 'state')
    const parts = state === undefined ? [] : stateParts(phase.mode, state)
    const { mode } = phase
    const sent = mode === undefined ? [] : sendsOf(phase).flatMap((send) => requestParts(mode, send))
    return [...parts, ...sent].filter(({ noun }) => !verbatim || noun === ANSWER)
  })
}

const ANSWER = 'response entry'

function stateParts(mode: string | undefined, state: Site): readonly KeyedPart[] {
  if (mode === undefined) return []
  const card = mode === 'a2a_server' ? siteAt(state, 'agent_card') : undefined
  const input = mode === 'ag_ui_client' ? siteAt(state, 'run_agent_input') : undefined
  return [
    ...dispatches.filter((one) => one.mode === mode).flatMap((one) => answerParts(one, state)),
    ...sitesAt(state, 'actions').flatMap((action) => requestParts(mode, action)),
    ...(mode === 'mcp_server' ? serverParts(state) : []),
    ...(card === undefined ? [] : messageParts(mode, 'agent_card/get', 'response', card.value, card.path)),
    ...(input === undefined ? [] : inputParts(input)),
  ]
}

function answerParts(dispatch: Dispatch, state: Site): readonly KeyedPart[] {
  const { mode, owner, key, surface, direction, keys, holds } = dispatch
  const owners = owner === undefined ? [state] : sitesAt(state, owner)
  return owners
    .flatMap((one) => sitesAt(one, key))
    .flatMap(({ path, value }) => {
      const message = holds === undefined ? value : own(value, holds)
      const parts = messageParts(mode, surface, direction, message, holds === undefined ? path : [...path, holds])
      const requests = sitesAt({ path, value }, 'x-joust-during').flatMap((step) => siteAt(step, 'send') ?? [])
      return [
        { noun: ANSWER, keys, value, path },
        ...parts.filter((part) => part.value !== value),
        ...requests.flatMap((send) => requestParts(mode, send)),
      ]
    })
}

function serverParts(state: Site): readonly KeyedPart[] {
  const held = ['text', 'blob', 'uri', 'mimeType', '_meta']
  const resources = ['resources', 'resource_templates'].flatMap((key) => sitesAt(state, key))
  return [
    ...sitesAt(state, 'tools').flatMap((tool) => schemasIn(tool, 'inputSchema', 'outputSchema')),
    ...sitesAt(state, 'elicitations').flatMap((one) => schemasIn(one, 'requestedSchema')),
    ...resources
      .flatMap((resource) => siteAt(resource, 'content') ?? [])
      .map((one) => ({ noun: 'resource content', keys: held, ...one })),
  ]
}

function inputParts(input: Site): readonly KeyedPart[] {
  const parts = messageParts('ag_ui_client', 'run_agent_input', 'request', input.value, input.path)
  const tools = sitesAt(input, 'tools').flatMap((tool) => schemasIn(tool, 'parameters'))
  // The keys of the input itself are checked as a state entry.
  return [...parts.filter(({ value }) => value !== input.value), ...tools]
}

function requestParts(mode: string, { path, value }: Site): readonly KeyedPart[] {
  const request = { noun: 'request', keys: ['method', 'params'], value, path }
  const method = ownText(value, 'method')
  if (method === undefined) return [request]
  return [request, ...messageParts(mode, method, 'request', own(value, 'params'), [...path, 'params'])]
}

function messageParts(
  mode: string,
  surface: string,
  direction: 'request' | 'response',
  value: Value | undefined,
  path: Path,
): readonly KeyedPart[] {
  const row = messageShapes(extractProtocol(mode)).find((one) => one.surface === surface)
  // An AG-UI client sends a tool result, which is an event in AG-UI.
  const shape = row?.[direction] ?? row?.response
  if (shape === undefined || value === undefined) return []
  // A bare list is the `content` of a result.
  const shapes = isList(value) ? (fieldsOf(alternatives(shape)).get('content') ?? []) : [shape]
  return partsOf(value, shapes, `message of ${surface}`, path)
}

function partsOf(value: Value, shapes: readonly Shape[], noun: string, path: Path): readonly KeyedPart[] {
  const all = shapes.flatMap(alternatives)
  if (isList(value)) {
    const items = all.flatMap((shape) => (shape.kind === 'list' ? [shape.of] : []))
    return value.flatMap((item, index) => partsOf(item, items, noun, [...path, index]))
  }
  const shapesByKey = fieldsOf(all)
  if (!isRecord(value) || shapesByKey.size === 0) return []
  const below = Object.entries(value).flatMap(([key, inner]) =>
    partsOf(inner, shapesByKey.get(key) ?? [], noun, [...path, key]),
  )
  return [{ noun, keys: [...shapesByKey.keys()], words: closedWords(shapesByKey), value, path }, ...below]
}

export const BOOLEANS: readonly string[] = ['true', 'false']

function closedWords(shapesByKey: ReadonlyMap<string, readonly Shape[]>): ReadonlyMap<string, readonly string[]> {
  return new Map(
    [...shapesByKey].flatMap(([key, shapes]) => {
      const all = shapes.flatMap(alternatives)
      if (all.every(({ kind }) => kind === 'boolean')) return [[key, BOOLEANS]]
      const lists = all.map(wordsOf)
      return lists.every((words) => words !== undefined) ? [[key, [...new Set(lists.flat())]]] : []
    }),
  )
}

function wordsOf(shape: Shape): readonly string[] | undefined {
  if (shape.kind === 'constant') return [shape.value]
  if (shape.kind === 'list') return wordsOf(shape.of)
  return shape.kind === 'text' && shape.closed === true ? shape.usual : undefined
}

/** Returns the fields of all shapes; empty if any value is allowed. */
function fieldsOf(shapes: readonly Shape[]): ReadonlyMap<string, readonly Shape[]> {
  const shapesByKey = new Map<string, Shape[]>()
  if (shapes.some(({ kind }) => kind === 'open')) return shapesByKey
  for (const shape of shapes) {
    if (shape.kind !== 'fields') continue
    for (const [name, field] of Object.entries({ ...shape.required, ...shape.optional })) {
      if (name !== TEXTS) shapesByKey.set(name, [...(shapesByKey.get(name) ?? []), field])
    }
  }
  return shapesByKey
}

const KEYWORDS = ['type', 'properties', 'required', 'items', 'description', 'enum']
const TYPES = new Map([['type', ['object', 'string', 'number', 'integer', 'boolean', 'array', 'null']]])
export const SCHEMA = 'schema'

function schemasIn(holder: Site, ...keys: readonly string[]): KeyedPart[] {
  return keys.flatMap((key) => {
    const schema = siteAt(holder, key)
    return schema === undefined ? [] : schemaParts(schema)
  })
}

function schemaParts(schema: Site): KeyedPart[] {
  const properties = siteAt(schema, 'properties')
  const named = properties === undefined ? [] : schemasIn(properties, ...Object.keys(properties.value))
  return [{ noun: SCHEMA, keys: KEYWORDS, words: TYPES, ...schema }, ...named, ...schemasIn(schema, 'items')]
}
