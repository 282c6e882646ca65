/** What a JSON Schema allows at a place: the schemas of all three kinds of file use the same keywords. */
import { type JsonSchema, validateValue } from '@joust/agentformat'
import {
  defined,
  isList,
  isRecord,
  own,
  ownList,
  ownText,
  type Path,
  type Value,
  type ValueRecord,
  valueAt,
} from '@joust/source'
import type { Context } from '../context.ts'

/** A key that a mapping may have. */
export interface KeyRule {
  readonly name: string
  readonly required: boolean
  /** What it is for. */
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

/** Asks the schema of a file about a place; what stands there may be incomplete. */
export function allowedAt({ kind, schema, reading }: Context, path: Path): Allowed {
  const below = kind === 'oatf' ? belowPredicate(path) : undefined
  const at = below === undefined ? path : [...PREDICATE, ...below]
  const value = below === undefined ? reading.value : null
  const found = schemasAt(schema, at, value)
  return { keys: keysOf(found, schema, valueAt(value, at)), choices: choicesOf(found) }
}

/** What the mapping at a place says about one of its keys. */
export function keyRuleAt(context: Context, path: Path): KeyRule | undefined {
  const key = path.at(-1)
  if (typeof key !== 'string') return undefined
  return allowedAt(context, path.slice(0, -1)).keys.find(({ name }) => name === key)
}

/** Where the schema of attacks has a predicate (§5.4). Those of answers stand in states, which it leaves open. */
const PREDICATE: Path = ['attack', 'execution', 'phases', 0, 'trigger', 'match']

/** What follows on the `when` of an answer. */
function belowPredicate(path: Path): Path | undefined {
  const state = path.indexOf('state')
  const when = path.indexOf('when', state)
  return state < 0 || when < 0 ? undefined : path.slice(when + 1)
}

function schemasAt(root: Value, path: Path, value: Value): ValueRecord[] {
  let found = expand([root], root, value)
  for (const [index, step] of path.entries()) {
    const here = valueAt(value, path.slice(0, index + 1))
    // A word at the end may still become a key.
    const isOpen = index === path.length - 1 && typeof here === 'string'
    const below = found.map((schema) => (typeof step === 'number' ? own(schema, 'items') : propertyOf(schema, step)))
    found = expand(below, root, isOpen ? undefined : here)
  }
  return found
}

type Values = readonly (Value | undefined)[]

/** The schemas among some values, with those that they refer to, their branches, and what their conditions choose. */
function expand(schemas: Values, root: Value, value: Value | undefined): ValueRecord[] {
  const found: ValueRecord[] = []
  const pending = [...schemas].reverse()
  while (pending.length > 0 && found.length < 500) {
    const schema = pending.pop()
    if (!isRecord(schema)) continue
    found.push(schema)
    pending.push(...[referred(schema, root), ...branches(schema, value), ...chosen(schema, value)].reverse())
  }
  return found
}

function referred(schema: ValueRecord, root: Value): Value | undefined {
  const name = /^#\/\$defs\/([\w-]+)$/.exec(ownText(schema, '$ref') ?? '')?.[1]
  return name === undefined ? undefined : valueAt(root, ['$defs', name])
}

function branches(schema: ValueRecord, value: Value | undefined): Values {
  const some = [...ownList(schema, 'oneOf'), ...ownList(schema, 'anyOf')]
  const fitting = some.filter((one) => fitsKind(one, value))
  return [...ownList(schema, 'allOf'), ...(fitting.length > 0 ? fitting : some)]
}

/** Whether a value that is there is of the kind that a branch is for. */
function fitsKind(schema: Value, value: Value | undefined): boolean {
  const type = ownText(schema, 'type')
  if (value === undefined || value === null || type === undefined) return true
  if (isList(value)) return type === 'array'
  return isRecord(value) === (type === 'object')
}

/** Where nothing decides a condition yet, both of its branches are possible. */
function chosen(schema: ValueRecord, value: Value | undefined): Values {
  const condition = own(schema, 'if')
  if (!isRecord(condition)) return []
  if (isEmpty(value)) return [own(schema, 'then'), own(schema, 'else')]
  return [own(schema, validateValue(condition as JsonSchema, value ?? null).ok ? 'then' : 'else')]
}

function isEmpty(value: Value | undefined): boolean {
  return value === undefined || value === null || (isRecord(value) && Object.keys(value).length === 0)
}

function propertyOf(schema: ValueRecord, name: string): Value | undefined {
  return own(own(schema, 'properties'), name) ?? own(schema, 'additionalProperties')
}

function keysOf(schemas: readonly ValueRecord[], root: Value, value: Value | undefined): KeyRule[] {
  const found = new Map<string, KeyRule>()
  for (const schema of schemas) {
    const properties = own(schema, 'properties')
    const required = ownList(schema, 'required')
    for (const [name, property] of Object.entries(isRecord(properties) ? properties : {})) {
      const inner = expand([property], root, own(value, name))
      const rule = defined({
        name,
        required: required.includes(name),
        about: ownText(property, 'description'),
        rule: ownText(property, '$comment'),
        types: typesOf(inner),
        choices: choicesOf(inner),
      })
      found.set(name, merged(found.get(name), rule))
    }
  }
  return [...found.values()]
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

function typesOf(schemas: readonly ValueRecord[]): string[] {
  const types = schemas.flatMap((schema) => ownText(schema, 'type') ?? ownList(schema, 'type').map(String))
  return [...new Set(types)]
}

function choicesOf(schemas: readonly ValueRecord[]): string[] {
  const found = schemas.flatMap((schema) => {
    const only = own(schema, 'const')
    const isWord = typeof only === 'string' || typeof only === 'number'
    return [...ownList(schema, 'enum'), ...(isWord ? [only] : [])].map(String)
  })
  const booleans = schemas.some((schema) => own(schema, 'type') === 'boolean') ? ['true', 'false'] : []
  return [...new Set([...found, ...booleans])]
}
