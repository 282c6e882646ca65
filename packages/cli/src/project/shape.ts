/** `joust.yaml`, field by field: the options of `joust run` under their own names, and what only a file can say. */
import { presetShape } from '@joust/arena'
import { bindingsShape } from '@joust/runtime/bindings'
import { type Field, jsonSchemaOf, type ObjectShape, type Shape, shapes, type Value } from '@joust/source'
import type { TargetedRow } from '../options/option.ts'
import { runOptions } from '../options/run.ts'
import { decidingKeys, endpointKeys, type NamedTarget, type TargetKind, targetKeys } from '../options/targets.ts'

const { choice, enumeration, map, object, optional, required, some, text, value } = shapes

/**
 * Options that have no key: which file this is; endpoints, which are under the names of their protocols; which machines
 * do the work; and whether files are watched.
 */
export const withoutKey: readonly string[] = ['config', 'target', 'queue', 'name', 'detach', 'watch']

/** An option of `run` at its place in the file. */
export interface FileOption {
  /** Its key in the table of options. */
  readonly option: string
  readonly row: TargetedRow
  /** The path of its value. */
  readonly path: readonly string[]
}

/** Every option that has a key; those of the group Target are in a target, the others at the top. */
export const fileOptions: readonly FileOption[] = Object.entries<TargetedRow>(runOptions)
  .filter(([option]) => !withoutKey.includes(option))
  .map(([option, row]) => ({ option, row, path: (row.fileKey ?? snakeCase(option)).split('.') }))

function snakeCase(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** Whether an option belongs in a target. */
export function isOfTarget({ row }: Pick<FileOption, 'row'>): boolean {
  return row.group === 'Target'
}

/** `http`: how to ask an agent behind an address of its own kind. */
const httpShape: ObjectShape = object(
  {
    url: required(text, 'the address'),
    method: optional(text, 'the method, POST where nothing is said'),
    headers: optional(map(text), 'headers of each request'),
    body: optional(value, 'what is sent; {prompt}, {conversation}, {mcp_servers} and {ACTOR.url} in it are filled in'),
    answer: optional(text, 'the path of the answer in what comes back; without it all of that'),
    conversation: optional(text, 'the path of the name that the agent gives a conversation; without it Joust names it'),
    stream: optional(enumeration(['sse', 'json_lines']), 'how the answer is streamed'),
  },
  'none',
  { name: 'http', about: 'How an agent is asked over HTTP, and where its answer is.' },
)

const env = optional(map(text), 'variables of the environment of the command')

/** What only a file can say about a target, by kind. */
const ownKeys: { readonly [kind in NamedTarget]?: ObjectShape['fields'] } = {
  endpoint: Object.fromEntries(
    endpointKeys.map((key) => [key, optional(text, 'the address of an agent that speaks the protocol')]),
  ),
  command: { env },
  acp: { env },
  http: { http: required(httpShape, 'how an agent with an address of its own is asked') },
  function: {
    module: required(text, 'the file of a function that is the agent'),
    export: optional(text, 'the name of the function in its file, where it is not the default'),
  },
}

/** A target of a kind: what it is, and the options that have an effect with it. */
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
  return object({ ...own, ...fieldsOf(rows) }, 'none', { name: `${kind}_target` })
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

/** The whole file. */
export const projectShape: ObjectShape = object({
  attacks: optional(some(text), 'files, folders and globs of attacks, relative to this file'),
  targets: optional(targetsShape, 'what is attacked, by name; one of its keys says what a target is'),
  presets: optional(map(presetShape), 'agents that you know how to drive, by name'),
  bindings: optional(bindingsShape, 'models, tools and servers that agent files need to run'),
  ...fieldsOf(fileOptions.filter((row) => !isOfTarget(row))),
})

/** The JSON Schema of `joust.yaml`. */
export function projectSchema(): Value {
  return jsonSchemaOf(projectShape, {
    title: 'A joust project file',
    description: 'joust.yaml: which attacks are run against which targets, and how.',
  })
}
