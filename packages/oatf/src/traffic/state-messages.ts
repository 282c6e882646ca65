/**
 * The messages that contain parts of a state, with their fields, for editors ([OATF
 * §7.1.4](https://oatf.io/specification/protocol-bindings/mcp/), §7.2.4, §7.3.4).
 */
import { defined, isRecord, own, type Path, type Value, valueAt } from '@joust/source'
import { messageShapes, messageText } from '../bindings/message-shapes.ts'
import type { Shape } from '../bindings/shape.ts'
import { alternatives, followShape } from '../bindings/shape-paths.ts'
import type { KnownMode } from '../model/enumerations.ts'
import { extractProtocol } from '../primitives/extract-protocol.ts'
import { wildcardSteps } from '../primitives/resolve-wildcard-path.ts'

type Direction = 'request' | 'response'

interface Part {
  readonly mode: KnownMode
  /** The keys below the state, with `[]` for list items. */
  readonly way: string
  readonly surface: string
  readonly direction: Direction
  /** The path in the message; undefined for the whole message. */
  readonly at?: string
}

const server = { mode: 'mcp_server', direction: 'response' } as const
const client = { mode: 'mcp_client', direction: 'response' } as const

const parts: readonly Part[] = [
  { ...server, way: 'server_info', surface: 'initialize', at: 'serverInfo' },
  { ...server, way: 'capabilities', surface: 'initialize', at: 'capabilities' },
  { ...server, way: 'tools.[]', surface: 'tools/list', at: 'tools[*]' },
  { ...server, way: 'tools.[].responses.[].content', surface: 'tools/call' },
  { ...server, way: 'prompts.[]', surface: 'prompts/list', at: 'prompts[*]' },
  { ...server, way: 'prompts.[].responses.[]', surface: 'prompts/get' },
  { ...server, way: 'resources.[]', surface: 'resources/list', at: 'resources[*]' },
  { ...server, way: 'resources.[].content', surface: 'resources/read', at: 'contents[*]' },
  { ...server, way: 'resource_templates.[]', surface: 'resources/templates/list', at: 'resourceTemplates[*]' },
  { mode: 'mcp_server', way: 'elicitations.[]', surface: 'elicitation/create', direction: 'request' },
  { mode: 'mcp_client', way: 'client_info', surface: 'initialize', direction: 'request', at: 'clientInfo' },
  { mode: 'mcp_client', way: 'capabilities', surface: 'initialize', direction: 'request', at: 'capabilities' },
  { ...client, way: 'roots.[]', surface: 'roots/list', at: 'roots[*]' },
  { ...client, way: 'sampling_responses.[].content', surface: 'sampling/createMessage' },
  { ...client, way: 'elicitation_responses.[].content', surface: 'elicitation/create' },
  { mode: 'a2a_server', way: 'agent_card', surface: 'agent_card/get', direction: 'response' },
  { mode: 'a2a_server', way: 'task_responses.[].content', surface: 'message/send', direction: 'response' },
  { mode: 'ag_ui_client', way: 'run_agent_input', surface: 'run_agent_input', direction: 'request' },
]

interface MessageField {
  readonly name: string
  readonly required: boolean
  readonly type: string
  readonly choices: readonly string[]
  /** Absent if the name is self-explanatory. */
  readonly about?: string
}

interface MessagePlace {
  readonly surface: string
  readonly direction: Direction
  readonly fields: readonly MessageField[]
}

/**
 * Returns the message mapping that corresponds to the mapping at a path in a phase; undefined if there is none or it is
 * unknown.
 */
export function messageAt(mode: string, phase: Value, keys: Path): MessagePlace | undefined {
  const match = ofRequest(phase, keys) ?? (keys[0] === 'state' ? ofState(mode, keys.slice(1)) : undefined)
  if (match === undefined) return undefined
  const { surface, direction, at = '', from } = match
  const protocol = extractProtocol(mode)
  const shape = messageShapes(protocol).find((row) => row.surface === surface)?.[direction]
  if (shape === undefined) return undefined
  let shapes = followShape(shape, wildcardSteps(at) ?? [], 'lists')
  for (let index = from; ; index++) {
    const here = valueAt(phase, keys.slice(0, index))
    const step = keys[index]
    if (step === undefined) return { surface, direction, fields: fieldsOf(protocol, fitting(shapes, here), shapes) }
    shapes = fitting(shapes, here)
    shapes = shapes.flatMap((one) => followShape(one, [typeof step === 'number' ? 'each' : { field: step }], 'lists'))
  }
}

type MessagePart = Pick<Part, 'surface' | 'direction' | 'at'> & { readonly from: number }

function ofState(mode: string, keys: Path): MessagePart | undefined {
  const way = keys.map((key) => (typeof key === 'number' ? '[]' : key)).join('.')
  const match = parts
    .filter((part) => part.mode === mode && `${way}.`.startsWith(`${part.way}.`))
    .reduce<Part | undefined>(
      (best, part) => (best === undefined || part.way.length > best.way.length ? part : best),
      undefined,
    )
  return match === undefined ? undefined : { ...match, from: match.way.split('.').length + 1 }
}

/** Finds the `params` of a request: in an action of a state, an entry action, or a message sent before a response. */
function ofRequest(phase: Value, keys: Path): MessagePart | undefined {
  const at = keys.indexOf('params')
  const isAction = keys[0] === 'state' && keys[1] === 'actions' && at === 3
  const isSent = keys[at - 1] === 'send' && (keys[0] === 'on_enter' || keys.includes('x-joust-during'))
  if (!isAction && !isSent) return undefined
  const method = valueAt(phase, [...keys.slice(0, at), 'method'])
  return typeof method === 'string' ? { surface: method, direction: 'request', from: at + 1 } : undefined
}

/** Returns the shapes that fit the written value, or all shapes if none fits. */
function fitting(shapes: readonly Shape[], value: Value | undefined): readonly Shape[] {
  const match = shapes.filter((one) => mayBe(one, value))
  return match.length === 0 ? shapes : match
}

/** True if the written value can have the shape, judging by the constants in the shape. */
function mayBe(shape: Shape, value: Value | undefined): boolean {
  if (shape.kind !== 'fields' || !isRecord(value)) return true
  return Object.entries({ ...shape.required, ...shape.optional }).every(([name, field]) => {
    const written = own(value, name)
    const words = wordsOf(field)
    return words.length === 0 || typeof written !== 'string' || words.includes(written)
  })
}

/** Merges the fields of several shapes. A field may have any value that one of the shapes allows. */
function fieldsOf(protocol: string, shapes: readonly Shape[], all: readonly Shape[]): MessageField[] {
  const match = new Map<string, MessageField>()
  for (const shape of shapes) {
    if (shape.kind !== 'fields') continue
    for (const [required, fields] of [
      [true, shape.required],
      [false, shape.optional],
    ] as const)
      for (const [name, field] of Object.entries(fields)) {
        const before = match.get(name)
        const about = messageText(protocol, name)
        const first = before ?? defined({ name, required, type: typeOf(field), choices: choicesOf(name, all), about })
        match.set(name, { ...first, required: first.required && required })
      }
  }
  return [...match.values()]
}

function choicesOf(name: string, shapes: readonly Shape[]): string[] {
  const match = shapes.flatMap((shape) => {
    if (shape.kind !== 'fields') return []
    const field = { ...shape.required, ...shape.optional }[name]
    return field === undefined ? [] : alternatives(field)
  })
  return [...new Set(match.flatMap(wordsOf))]
}

function wordsOf(shape: Shape): readonly string[] {
  if (shape.kind === 'constant') return [shape.value]
  return (shape.kind === 'text' && shape.usual) || []
}

const typeNames = {
  text: 'text',
  constant: 'text',
  number: 'number',
  boolean: 'true or false',
  list: 'list',
  fields: 'mapping',
  open: 'anything',
} as const

function typeOf(shape: Shape): string {
  const kinds = alternatives(shape).flatMap(({ kind }) => (kind === 'choice' ? [] : [typeNames[kind]]))
  return [...new Set(kinds)].join(' or ')
}
