/** The keys and values that a JSON Schema allows at a path. */
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

export interface KeyRule {
  readonly name: string
  readonly required: boolean
  readonly about?: string
  /** The code of the rule that an invalid value violates. */
  readonly rule?: string
  /** The JSON Schema types of the value; empty for any type. */
  readonly types: readonly string[]
  readonly choices: readonly string[]
}

interface Allowed {
  readonly keys: readonly KeyRule[]
  readonly choices: readonly string[]
}

/** Returns the keys and values that the file's schema allows at a path. The value at the path may be incomplete. */
export function allowedAt({ kind, schema, reading }: Context, path: Path): Allowed {
  const below = kind === 'oatf' ? belowPredicate(path) : undefined
  const at = below === undefined ? path : [...PREDICATE, ...below]
  const value = below === undefined ? reading.value : null
  const schemas = schemasAt(schema, at, value)
  return { keys: keysOf(schemas, schema, valueAt(value, at)), choices: choicesOf(schemas) }
}

export function keyRuleAt(context: Context, path: Path): KeyRule | undefined {
  const key = path.at(-1)
  if (typeof key !== 'string') return undefined
  return allowedAt(context, path.slice(0, -1)).keys.find(({ name }) => name === key)
}

/**
 * The schema path of a predicate ([OATF §5.4](https://oatf.io/specification/execution-profile/)). Also used for
 * response predicates, which the schema does not cover because they are in states.
 */
const PREDICATE: Path = ['attack', 'execution', 'phases', 0, 'trigger', 'match']

function belowPredicate(path: Path): Path | undefined {
  const state = path.indexOf('state')
  const when = path.indexOf('when', state)
  return state < 0 || when < 0 ? undefined : path.slice(when + 1)
}

function schemasAt(root: Value, path: Path, value: Value): ValueRecord[] {
  let schemas = expand([root], root, value)
  for (const [index, step] of path.entries()) {
    const here = valueAt(value, path.slice(0, index + 1))
    // A trailing word may still become a key.
    const isOpen = index === path.length - 1 && typeof here === 'string'
    const below = schemas.map((schema) => (typeof step === 'number' ? own(schema, 'items') : propertyOf(schema, step)))
    schemas = expand(below, root, isOpen ? undefined : here)
  }
  return schemas
}

type Values = readonly (Value | undefined)[]

function expand(schemas: Values, root: Value, value: Value | undefined): ValueRecord[] {
  const expanded: ValueRecord[] = []
  const pending = [...schemas].reverse()
  while (pending.length > 0 && expanded.length < 500) {
    const schema = pending.pop()
    if (!isRecord(schema)) continue
    expanded.push(schema)
    pending.push(...[referenceOf(schema, root), ...branches(schema, value), ...chosen(schema, value)].reverse())
  }
  return expanded
}

function referenceOf(schema: ValueRecord, root: Value): Value | undefined {
  const name = /^#\/\$defs\/([\w-]+)$/.exec(ownText(schema, '$ref') ?? '')?.[1]
  return name === undefined ? undefined : valueAt(root, ['$defs', name])
}

function branches(schema: ValueRecord, value: Value | undefined): Values {
  const some = [...ownList(schema, 'oneOf'), ...ownList(schema, 'anyOf')]
  const matching = some.filter((branch) => hasTypeOf(branch, value))
  return [...ownList(schema, 'allOf'), ...(matching.length > 0 ? matching : some)]
}

function hasTypeOf(schema: Value, value: Value | undefined): boolean {
  const type = ownText(schema, 'type')
  if (value === undefined || value === null || type === undefined) return true
  if (isList(value)) return type === 'array'
  return isRecord(value) === (type === 'object')
}

/** Returns the selected branch of a condition, or both branches while the value is empty. */
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
  const rules = new Map<string, KeyRule>()
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
      rules.set(name, merge(rules.get(name), rule))
    }
  }
  return [...rules.values()]
}

function merge(before: KeyRule | undefined, more: KeyRule): KeyRule {
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
  const choices = schemas.flatMap((schema) => {
    const only = own(schema, 'const')
    const isWord = typeof only === 'string' || typeof only === 'number'
    return [...ownList(schema, 'enum'), ...(isWord ? [only] : [])].map(String)
  })
  const booleans = schemas.some((schema) => own(schema, 'type') === 'boolean') ? ['true', 'false'] : []
  return [...new Set([...choices, ...booleans])]
}
