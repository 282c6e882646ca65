/** The shape of `joust.yaml`: the options of `joust run`, and keys that only the file has. */

import { toolLabels } from '@joust/authoring/names'
import { bindingsShape } from '@joust/runtime/bindings'
import { type Field, jsonSchemaOf, type ObjectShape, type Shape, shapes, type Value } from '@joust/source'
import { presetShape } from '@joust/targets'
import type { TargetedRow } from '../options/option.ts'
import { runOptions } from '../options/run.ts'
import { decidingKeys, endpointKeys, type NamedKind, type TargetKind, targetKeys } from '../options/targets.ts'
import { serveField } from './serve.ts'

const { choice, enumeration, map, object, optional, required, some, text, value } = shapes

/** Options without a key in the file: `config`, endpoints (which have a key per protocol), campaigns and `watch`. */
export const withoutKey: readonly string[] = ['config', 'target', 'queue', 'name', 'detach', 'watch']

/** An option of `joust run` and its path in the project file. */
export interface FileOption {
  readonly option: string
  readonly row: TargetedRow
  /** Path of the value in the file. */
  readonly path: readonly string[]
}

/** All options with a key. Options in the group Target belong in a target, all others at the top level. */
export const fileOptions: readonly FileOption[] = Object.entries<TargetedRow>(runOptions)
  .filter(([option]) => !withoutKey.includes(option))
  .map(([option, row]) => ({ option, row, path: (row.fileKey ?? snakeCase(option)).split('.') }))

function snakeCase(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

export function isOfTarget({ row }: Pick<FileOption, 'row'>): boolean {
  return row.group === 'Target'
}

const pollShape = object({
  url: required(text, 'the URL to poll; {response.PATH} is a value from the first response'),
  until: required(
    some(text),
    'the condition that ends polling: PATH=VALUE, or PATH for any value; in a list, one condition must be met',
  ),
  every: optional(text, 'the time between requests; 1s by default'),
})

const httpShape: ObjectShape = object(
  {
    url: required(text, 'the URL'),
    method: optional(text, 'the method; POST by default'),
    headers: optional(map(text), 'headers for each request'),
    body: optional(
      value,
      'the body; {prompt}, {messages}, {conversation}, {mcp_servers} and {ACTOR.url} are filled in',
    ),
    message: optional(value, 'a message in {messages}, with {role} and {content}; as in the OpenAI API by default'),
    poll: optional(pollShape, 'how to poll for the answer of an agent that answers later'),
    answer: optional(text, 'the path to the answer in the response; the whole response by default'),
    conversation: optional(text, 'the path to the conversation id in the response; by default Joust creates the id'),
    stream: optional(enumeration(['sse', 'json_lines']), 'the format of a streamed answer'),
  },
  'none',
  { name: 'http', about: 'The HTTP request to an agent, and the path to the answer in the response.' },
)

const env = optional(map(text), 'environment variables for the command')

/** Keys of a target that have no option, by kind of target. */
const ownKeys: { readonly [kind in NamedKind]?: ObjectShape['fields'] } = {
  endpoint: {
    ...Object.fromEntries(
      endpointKeys.map((key) => [key, optional(text, 'the URL of an agent that speaks this protocol')]),
    ),
    serve: serveField,
  },
  command: { env },
  acp: { env },
  http: { http: required(httpShape, 'the request to an agent with its own HTTP API'), serve: serveField },
  function: {
    module: required(text, 'the module with the function to attack'),
    export: optional(text, 'the export name of the function; the default export by default'),
  },
}

const SERVED_KINDS = 'Only with http, ag_ui, a2a and mcp.'

function targetShape(kind: TargetKind): ObjectShape {
  const others = new Set<string>(Object.values(targetKeys).filter((key) => key !== 'wire'))
  const own = kind === 'none' ? {} : (ownKeys[kind] ?? {})
  const decides = kind === 'none' ? undefined : targetKeys[kind]
  const rows = fileOptions.filter(
    ({ option, row }) =>
      isOfTarget({ row }) &&
      (row.targets === 'all' || row.targets.some((target) => target === kind)) &&
      (option === decides || !others.has(option) || (kind === 'agent' && option === 'model')),
  )
  return object({ ...own, ...fieldsOf(rows) }, 'none', { name: `${kind}_target`, elsewhere: { serve: SERVED_KINDS } })
}

const targetsShape = map(
  decidingKeys.reduceRight<Shape>((other, [kind, keys]) => choice(targetShape(kind), other, keys), targetShape('none')),
)

function fieldsOf(rows: readonly FileOption[]): ObjectShape['fields'] {
  const fields: Record<string, Field> = {}
  for (const { row, path } of rows) {
    const [key = '', below] = path
    const field = optional(row.value.shape, row.help)
    fields[key] = below === undefined ? field : optional(extended(fields[key]?.shape, below, field))
  }
  return fields
}

function extended(before: Shape | undefined, key: string, field: Field): Shape {
  const fields = before?.kind === 'object' ? before.fields : {}
  return object({ ...fields, [key]: field })
}

const aimShape = object(
  {
    tools: optional(
      map(some(enumeration([...toolLabels, 'none']))),
      'tool labels by SERVER/TOOL, which take precedence over the rule-based labels: source, private, sink or none',
    ),
  },
  'none',
  { name: 'aim', about: 'Corrections for joust aim.' },
)

export const projectShape: ObjectShape = object({
  attacks: optional(
    some(text),
    'attack files, folders and globs, relative to this file; library or a suite such as @quick for built-in attacks',
  ),
  targets: optional(targetsShape, 'agents to attack, by name; one of the keys selects the kind of target'),
  presets: optional(map(presetShape), 'your own presets for --exec and --acp, by name'),
  aim: optional(aimShape, 'corrections for joust aim'),
  bindings: optional(bindingsShape, 'models, tools and servers that agent files need to run'),
  ...fieldsOf(fileOptions.filter((row) => !isOfTarget(row))),
})

export function projectSchema(): Value {
  return jsonSchemaOf(projectShape, {
    title: 'A joust project file',
    description: 'joust.yaml: attacks, targets and options of joust run.',
  })
}
