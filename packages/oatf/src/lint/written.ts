/** Mappings of a state that go on the wire or choose what does, with the keys that they can have there. */
import { isList, isRecord, own, type Path, type Value, type ValueRecord } from '@joust/source'
import { TEXTS } from '../bindings/a2a-texts.ts'
import { messageShapes } from '../bindings/message-shapes.ts'
import type { Shape } from '../bindings/shape.ts'
import { extractProtocol } from '../primitives/extract-protocol.ts'
import { type PhaseSite, textOf, type Walk } from '../rules/walk.ts'
import { entriesAt } from './payloads/payload.ts'

/** A mapping, and what is known about its keys. */
export interface KeyedPart {
  /** What one is called. */
  readonly noun: string
  readonly keys: readonly string[]
  readonly entry: ValueRecord
  readonly path: Path
}

/** A list of answers to choose from (§7.0.1), and what the chosen one says. */
interface Dispatch {
  readonly mode: string
  /** The key of the state whose entries have the list; without it, the state has. */
  readonly owner?: string
  readonly key: string
  readonly surface: string
  readonly direction: 'request' | 'response'
  readonly keys: readonly string[]
  /** The key that holds the message, where it is not the entry itself. */
  readonly holds?: string
}

const chosen = ['when', 'synthesize']
const content = { keys: [...chosen, 'content'], holds: 'content', direction: 'response' } as const

const dispatches: readonly Dispatch[] = [
  { ...content, mode: 'mcp_server', owner: 'tools', key: 'responses', surface: 'tools/call' },
  {
    ...{ mode: 'mcp_server', owner: 'prompts', key: 'responses', surface: 'prompts/get', direction: 'response' },
    keys: [...chosen, 'messages', 'description'],
  },
  { ...content, mode: 'mcp_client', key: 'sampling_responses', surface: 'sampling/createMessage' },
  {
    ...{ mode: 'mcp_client', key: 'elicitation_responses', surface: 'elicitation/create', direction: 'response' },
    keys: [...chosen, 'action', 'content'],
  },
  { ...content, mode: 'a2a_server', key: 'task_responses', surface: 'message/send' },
  { ...content, mode: 'ag_ui_client', key: 'tool_responses', surface: 'tool_call_result' },
]

/** Every mapping below the entries of states; of documents that go out as written, only what chooses. */
export function writtenParts({ phases }: Walk, verbatim: boolean): readonly KeyedPart[] {
  return phases.flatMap((phase) => {
    const state = own(phase.value, 'state')
    const path = [...phase.path, 'state']
    const parts = isRecord(state) ? stateParts(phase.mode, state, path) : []
    return [...parts, ...sentParts(phase)].filter(({ noun }) => !verbatim || noun === ANSWER)
  })
}

const ANSWER = 'response entry'

function stateParts(mode: string | undefined, state: ValueRecord, path: Path): readonly KeyedPart[] {
  if (mode === undefined) return []
  return [
    ...dispatches.filter((one) => one.mode === mode).flatMap((one) => answerParts(one, state, path)),
    ...entriesAt(state, 'actions', path).flatMap(({ entry, path: at }) => requestParts(mode, entry, at)),
    ...(mode === 'mcp_server' ? offeredParts(state, path) : []),
    ...(mode === 'a2a_server'
      ? messageParts(mode, 'agent_card/get', 'response', own(state, 'agent_card'), [...path, 'agent_card'])
      : []),
    ...(mode === 'ag_ui_client' ? inputParts(own(state, 'run_agent_input'), [...path, 'run_agent_input']) : []),
  ]
}

function answerParts(dispatch: Dispatch, state: ValueRecord, path: Path): readonly KeyedPart[] {
  const { mode, owner, key, surface, direction, keys, holds } = dispatch
  const owners = owner === undefined ? [{ entry: state, path }] : entriesAt(state, owner, path)
  return owners
    .flatMap((one) => entriesAt(one.entry, key, one.path))
    .flatMap(({ entry, path: at }) => {
      const said = holds === undefined ? entry : own(entry, holds)
      const parts = messageParts(mode, surface, direction, said, holds === undefined ? at : [...at, holds])
      return [{ noun: ANSWER, keys, entry, path: at }, ...parts.filter((part) => part.entry !== entry)]
    })
}

/** What a server of MCP offers, as far as its entries are not looked at as such. */
function offeredParts(state: ValueRecord, path: Path): readonly KeyedPart[] {
  const held = ['text', 'blob', 'uri', 'mimeType', '_meta']
  const resources = ['resources', 'resource_templates'].flatMap((key) => entriesAt(state, key, path))
  return [
    ...entriesAt(state, 'tools', path).flatMap((tool) => schemasIn(tool, 'inputSchema', 'outputSchema')),
    ...entriesAt(state, 'elicitations', path).flatMap((one) => schemasIn(one, 'requestedSchema')),
    ...resources.flatMap(({ entry, path: at }) => {
      const value = own(entry, 'content')
      return isRecord(value) ? [{ noun: 'resource content', keys: held, entry: value, path: [...at, 'content'] }] : []
    }),
  ]
}

function inputParts(input: Value | undefined, path: Path): readonly KeyedPart[] {
  const parts = messageParts('ag_ui_client', 'run_agent_input', 'request', input, path)
  const tools = isRecord(input) ? entriesAt(input, 'tools', path) : []
  // Its own keys are those of an entry of the state.
  return [...parts.filter(({ entry }) => entry !== input), ...tools.flatMap((tool) => schemasIn(tool, 'parameters'))]
}

function requestParts(mode: string, entry: ValueRecord, path: Path): readonly KeyedPart[] {
  const request = { noun: 'request', keys: ['method', 'params'], entry, path }
  const method = textOf(entry, 'method')
  if (method === undefined) return [request]
  return [request, ...messageParts(mode, method, 'request', own(entry, 'params'), [...path, 'params'])]
}

/** `on_enter: send`. */
function sentParts({ value, path, mode }: PhaseSite): readonly KeyedPart[] {
  const actions = own(value, 'on_enter')
  if (mode === undefined || !isList(actions)) return []
  return actions.flatMap((action, index) => {
    const send = isRecord(action) ? own(action, 'send') : undefined
    return isRecord(send) ? requestParts(mode, send, [...path, 'on_enter', index, 'send']) : []
  })
}

function messageParts(
  mode: string,
  surface: string,
  direction: 'request' | 'response',
  value: Value | undefined,
  path: Path,
): readonly KeyedPart[] {
  const row = messageShapes(extractProtocol(mode)).find((one) => one.surface === surface)
  // A client of AG-UI says the result of a tool, which is an event there.
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
  const known = fieldsOf(all)
  if (!isRecord(value) || known.size === 0) return []
  const below = Object.entries(value).flatMap(([key, inner]) =>
    partsOf(inner, known.get(key) ?? [], noun, [...path, key]),
  )
  return [{ noun, keys: [...known.keys()], entry: value, path }, ...below]
}

function alternatives(shape: Shape): readonly Shape[] {
  return shape.kind === 'choice' ? shape.of.flatMap(alternatives) : [shape]
}

/** The fields of all shapes; none where anything may be. */
function fieldsOf(shapes: readonly Shape[]): ReadonlyMap<string, readonly Shape[]> {
  const known = new Map<string, Shape[]>()
  if (shapes.some(({ kind }) => kind === 'open')) return known
  for (const shape of shapes) {
    if (shape.kind !== 'fields') continue
    for (const [name, field] of Object.entries({ ...shape.required, ...shape.optional })) {
      if (name !== TEXTS) known.set(name, [...(known.get(name) ?? []), field])
    }
  }
  return known
}

/** Keywords by which an agent knows what it may say; there are many more. */
const KEYWORDS = ['type', 'properties', 'required', 'items', 'description', 'enum']

function schemasIn({ entry, path }: { entry: ValueRecord; path: Path }, ...keys: readonly string[]): KeyedPart[] {
  return keys.flatMap((key) => schemaParts(own(entry, key), [...path, key]))
}

function schemaParts(schema: Value | undefined, path: Path): KeyedPart[] {
  if (!isRecord(schema)) return []
  const properties = own(schema, 'properties')
  const named = isRecord(properties) ? Object.entries(properties) : []
  return [
    { noun: 'schema', keys: KEYWORDS, entry: schema, path },
    ...named.flatMap(([name, inner]) => schemaParts(inner, [...path, 'properties', name])),
    ...schemaParts(own(schema, 'items'), [...path, 'items']),
  ]
}
