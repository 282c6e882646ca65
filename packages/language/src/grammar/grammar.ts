/** What a JSON Schema allows at a place: the schemas of all three kinds of file use the same keywords. */
import { type JsonSchema, validateValue } from '@joust/agentformat'
import {
  defined,
  isList,
  isRecord,
  own,
  ownText,
  type Path,
  type Value,
  type ValueRecord,
  valueAt,
} from '@joust/source'
import type { DocumentKind } from '../model.ts'
import type { Reading } from '../text/reading.ts'

/** A schema that may hold at a place. */
interface Node {
  readonly schema: ValueRecord
  /** The definition that it belongs to, and the keys from there; items of lists are `[]`. */
  readonly owner: string
  readonly below: string
}

/** A key that a mapping may have. */
export interface KeyRule {
  readonly name: string
  readonly required: boolean
  /** `indicator.pattern.target`: the definition that it belongs to, and the path from there. */
  readonly id: string
  /** What the schema says about it. */
  readonly about?: string
  /** The rule that a wrong value would break. */
  readonly rule?: string
  /** What its value may be: types of JSON Schema; empty where anything goes. */
  readonly types: readonly string[]
  readonly choices: readonly string[]
}

/** What is allowed at a place. */
interface Allowed {
  readonly keys: readonly KeyRule[]
  readonly choices: readonly string[]
}

/** A text with the schema of its kind. */
interface Described {
  readonly kind: DocumentKind
  readonly schema: Value
  readonly reading: Pick<Reading, 'value'>
}

/** Asks the schema of a file about a place; what stands there may be incomplete. */
export function allowedAt({ kind, schema, reading }: Described, path: Path): Allowed {
  const below = kind === 'oatf' ? belowPredicate(path) : undefined
  const at = below === undefined ? path : [...PREDICATE, ...below]
  const value = below === undefined ? reading.value : null
  const nodes = nodesAt(schema, at, value)
  return { keys: keysOf(nodes, schema, valueAt(value, at)), choices: choicesOf(nodes) }
}

/** What the mapping at a place says about one of its keys. */
export function keyRuleAt(described: Described, path: Path): KeyRule | undefined {
  const key = path.at(-1)
  if (typeof key !== 'string') return undefined
  return allowedAt(described, path.slice(0, -1)).keys.find(({ name }) => name === key)
}

/** Where the schema of attacks has a predicate (§5.4). Those of answers stand in states, which it leaves open. */
const PREDICATE: Path = ['attack', 'execution', 'phases', 0, 'trigger', 'match']

/** What follows on the `when` of an answer. */
function belowPredicate(path: Path): Path | undefined {
  const state = path.indexOf('state')
  const when = path.indexOf('when', state)
  return state < 0 || when < 0 ? undefined : path.slice(when + 1)
}

function nodesAt(root: Value, path: Path, value: Value): Node[] {
  let nodes = expand(nodesOf({ owner: '', below: '' }, [root]), root, value)
  for (const [index, step] of path.entries()) {
    const here = valueAt(value, path.slice(0, index + 1))
    // A word at the end may still become a key.
    const isOpen = index === path.length - 1 && typeof here === 'string'
    nodes = expand(
      nodes.flatMap((node) => below(node, step)),
      root,
      isOpen ? undefined : here,
    )
  }
  return nodes
}

/** The schemas that apply along with these: what they refer to, their branches, and what their conditions choose. */
function expand(nodes: readonly Node[], root: Value, value: Value | undefined): Node[] {
  const found: Node[] = []
  const pending = [...nodes].reverse()
  for (let node = pending.pop(); node !== undefined && found.length < 500; node = pending.pop()) {
    found.push(node)
    const more = [...referred(node, root), ...branches(node, value), ...chosen(node, value)]
    pending.push(...more.reverse())
  }
  return found
}

/** The values among these that are schemas, as nodes of one place. */
function nodesOf({ owner, below }: Omit<Node, 'schema'>, schemas: readonly (Value | undefined)[]): Node[] {
  return schemas.flatMap((schema) => (isRecord(schema) ? [{ schema, owner, below }] : []))
}

function referred({ schema }: Node, root: Value): Node[] {
  const name = /^#\/\$defs\/([\w-]+)$/.exec(String(own(schema, '$ref') ?? ''))?.[1]
  return name === undefined ? [] : nodesOf({ owner: name, below: '' }, [valueAt(root, ['$defs', name])])
}

function branches(node: Node, value: Value | undefined): Node[] {
  const listed = (key: string) => {
    const schemas = own(node.schema, key)
    return nodesOf(node, isList(schemas) ? schemas : [])
  }
  const some = [...listed('oneOf'), ...listed('anyOf')]
  const fitting = some.filter(({ schema }) => fitsKind(schema, value))
  return [...listed('allOf'), ...(fitting.length > 0 ? fitting : some)]
}

/** Whether a value that is there is of the kind that a branch is for. */
function fitsKind(schema: ValueRecord, value: Value | undefined): boolean {
  const type = own(schema, 'type')
  if (value === undefined || value === null || typeof type !== 'string') return true
  if (isList(value)) return type === 'array'
  return isRecord(value) === (type === 'object')
}

/** Where nothing decides a condition yet, both of its branches are possible. */
function chosen(node: Node, value: Value | undefined): Node[] {
  const condition = own(node.schema, 'if')
  if (!isRecord(condition)) return []
  const ways = isEmpty(value)
    ? ['then', 'else']
    : [validateValue(condition as JsonSchema, value ?? null).ok ? 'then' : 'else']
  return nodesOf(
    node,
    ways.map((way) => own(node.schema, way)),
  )
}

function isEmpty(value: Value | undefined): boolean {
  return value === undefined || value === null || (isRecord(value) && Object.keys(value).length === 0)
}

function below({ schema, owner, below: way }: Node, step: string | number): Node[] {
  if (typeof step === 'number') return nodesOf({ owner, below: `${way}[]` }, [own(schema, 'items')])
  return nodesOf({ owner, below: way === '' ? step : `${way}.${step}` }, [propertyOf(schema, step)])
}

function propertyOf(schema: ValueRecord, name: string): Value | undefined {
  const properties = own(schema, 'properties')
  if (isRecord(properties) && Object.hasOwn(properties, name)) return own(properties, name)
  return own(schema, 'additionalProperties')
}

function keysOf(nodes: readonly Node[], root: Value, value: Value | undefined): KeyRule[] {
  const found = new Map<string, KeyRule>()
  for (const node of nodes) {
    const properties = own(node.schema, 'properties')
    const required = own(node.schema, 'required')
    for (const [name, schema] of Object.entries(isRecord(properties) ? properties : {})) {
      const part = own(value, name)
      const inner = expand(nodesOf(node, [schema]), root, part)
      const isRequired = isList(required) && required.includes(name)
      found.set(name, merged(found.get(name), keyRule(name, node, schema, inner, isRequired)))
    }
  }
  return [...found.values()]
}

function keyRule(
  name: string,
  { owner, below }: Node,
  schema: Value,
  inner: readonly Node[],
  required: boolean,
): KeyRule {
  return defined({
    name,
    required,
    id: [owner, below, name].filter((part) => part !== '').join('.'),
    about: ownText(schema, 'description'),
    rule: ownText(schema, '$comment'),
    types: typesOf(inner),
    choices: choicesOf(inner),
  })
}

/** What several branches say about the same key, combined. */
function merged(before: KeyRule | undefined, more: KeyRule): KeyRule {
  if (before === undefined) return more
  return {
    ...more,
    ...before,
    required: before.required || more.required,
    types: [...new Set([...before.types, ...more.types])],
    choices: [...new Set([...before.choices, ...more.choices])],
  }
}

function typesOf(nodes: readonly Node[]): string[] {
  const types = nodes.flatMap(({ schema }) => {
    const type = own(schema, 'type')
    return isList(type) ? type.map(String) : typeof type === 'string' ? [type] : []
  })
  return [...new Set(types)]
}

function choicesOf(nodes: readonly Node[]): string[] {
  const found = nodes.flatMap(({ schema }) => {
    const values = own(schema, 'enum')
    const only = own(schema, 'const')
    if (isList(values)) return values.map(String)
    return typeof only === 'string' || typeof only === 'number' ? [String(only)] : []
  })
  const booleans = nodes.some(({ schema }) => own(schema, 'type') === 'boolean') ? ['true', 'false'] : []
  return [...new Set([...found, ...booleans])]
}
