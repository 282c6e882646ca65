/**
 * Reasons to hold back a tool that claims to be read-only. These checks are stricter than the inventory, which weighs
 * signs: here a single sign is enough.
 */
import { isList, isRecord, own, ownText, type Value, type ValueRecord } from '@joust/source'
import { wordsOf } from '../inventory/features.ts'
import { CHANGES, OPERATES, PAYS, READS, RUNS, SENDS } from '../inventory/rules.ts'
import type { RealTool } from '../model/through.ts'

/** Returns the first reason to hold back a tool, as a clause; undefined if there is none. */
export function reasonInDefinition({ name, annotations, inputSchema }: RealTool): string | undefined {
  if (own(annotations ?? null, 'destructiveHint') === true) return 'its annotations mark it as destructive'
  if (!PLAIN_NAME.test(name)) return 'its name has characters or a length that can hide the purpose of the tool'
  const verb = effectIn(wordsOf(name))
  if (verb !== undefined) return `its name suggests that it changes or sends something (${verb})`
  if (!isRecord(inputSchema)) return 'its arguments have no schema'
  return reasonIn(inputSchema, { place: 'its arguments', needsType: true, depth: 0 })
}

/** A name of up to 128 visible ASCII characters. Other characters may look like letters of a verb. */
const PLAIN_NAME = /^[!-~]{1,128}$/
const PLAIN_ARGUMENT = /^[ -~]*$/

/** Shell commands, and other verbs that change something. */
const COMMANDS = `rm rmdir mkdir touch mv cp ln chmod chown chgrp truncate dd mkfs increment decrement rotate flush
  prune reindex migrate alter`.split(/\s+/)
const EFFECTS: ReadonlySet<string> = new Set([...CHANGES, ...SENDS, ...PAYS, ...RUNS, ...OPERATES, ...COMMANDS])
/** Verbs at the beginning of names without separators, such as `deletefile`. */
const BEGINNINGS = /^(?:delete|remove|write|create|update|send|upload|execute)/

/** Verbs with an effect that are nouns after a verb that reads: `list_comments`, `get_run`. */
const THINGS: ReadonlySet<string> = new Set(
  `archive book branch call change charge commit comment duplicate email fork image import label link log merge message
  order patch post record refund run schedule script command set share stash store tag terminal transfer transition
  trigger tweet type`.split(/\s+/),
)

/** Returns the first word in a name that suggests an effect. */
function effectIn(words: readonly string[]): string | undefined {
  let isRead = false
  for (const word of words) {
    if (BEGINNINGS.test(word) || (EFFECTS.has(word) && !(isRead && THINGS.has(word)))) return word
    // A conjunction begins a second action.
    isRead = READS.has(word) || (isRead && !['and', 'or', 'then'].includes(word))
  }
  return undefined
}

/** Words in the names of arguments that are addresses, also at the end of compound words. */
const ADDRESS =
  /^(?:link|src|host|domain|address|website|webpage|proxy|ip)$|(?:ur[il]|iri|href|hostname|endpoint|webhook|callback)s?$/
const ADDRESS_FORMATS = /^(?:ur[il]|iri|(?:idn-)?hostname|ipv[46])/
const DEEPEST = 32

interface Part {
  /** The name of the argument in the reason. */
  readonly place: string
  /** True unless another schema restricts the type of the value. */
  readonly needsType: boolean
  readonly depth: number
}

/** Returns a reason found in a schema. Definitions are checked in place, so that no reference has to be followed. */
function reasonIn(schema: Value, part: Part, root: Value = schema): string | undefined {
  const { place, needsType, depth } = part
  if (schema === false) return undefined
  if (!isRecord(schema) || depth > DEEPEST) return `${place} can be anything`
  if (ADDRESS_FORMATS.test(ownText(schema, 'format') ?? '')) return isAddressed(place)
  if (!isResolved(schema, root)) return `${place} has a schema outside the definition of the tool`
  if (takesMore(schema) || (needsType && depth > 0 && !isDescribed(schema))) return `${place} can have any content`
  const names = Object.keys(recordIn(schema, 'properties'))
  const odd = names.find((name) => !PLAIN_ARGUMENT.test(name))
  if (odd !== undefined) return `the name of its argument ${odd} has characters that can hide an address`
  const address = names.find((name) => wordsOf(name).some((word) => ADDRESS.test(word)))
  if (address !== undefined) return isAddressed(`its argument ${address}`)
  const isTyped = ['type', 'properties', 'enum', 'const', '$ref'].some((key) => Object.hasOwn(schema, key))
  for (const [keyword, value] of Object.entries(schema)) {
    const needs = NEEDS_TYPE.get(keyword)
    if (needs === undefined) continue
    for (const [key, one] of schemasIn(keyword, value)) {
      const more = { place: keyword === 'properties' ? `its argument ${key}` : place, depth: depth + 1 }
      const reason = reasonIn(
        one,
        { ...more, needsType: needs === 'alternative' ? needsType && !isTyped : needs },
        root,
      )
      if (reason !== undefined) return reason
    }
  }
  return undefined
}

const isAddressed = (place: string) => `${place} is an address that data can be sent to`

/** JSON Schema keywords that contain schemas; true if those schemas must restrict the type of their values. */
const NEEDS_TYPE: ReadonlyMap<string, boolean | 'alternative'> = new Map<string, boolean | 'alternative'>([
  ...['properties', '$defs', 'definitions'].map((key) => [key, true] as const),
  ...['items', 'prefixItems', 'additionalItems', 'unevaluatedItems'].map((key) => [key, true] as const),
  ...['anyOf', 'oneOf', 'allOf'].map((key) => [key, 'alternative'] as const),
  ...['not', 'if', 'then', 'else', 'contains', 'dependentSchemas'].map((key) => [key, false] as const),
])
const MAPS: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions', 'dependentSchemas'])

function schemasIn(keyword: string, value: Value): (readonly [string, Value])[] {
  if (MAPS.has(keyword)) return isRecord(value) ? Object.entries(value) : []
  return (isList(value) ? value : [value]).map((one) => ['', one])
}

/** True for a schema that allows fields of any name. */
function takesMore(schema: ValueRecord): boolean {
  const isOpen = (key: string) => (own(schema, key) ?? false) !== false
  if (isOpen('additionalProperties') || isOpen('unevaluatedProperties')) return true
  return Object.keys(recordIn(schema, 'patternProperties')).length > 0
}

const SCALARS: ReadonlySet<Value> = new Set(['string', 'number', 'integer', 'boolean', 'null'])

/** True for a schema that describes the fields or items of its values. */
function isDescribed(schema: ValueRecord): boolean {
  const has = (...keys: string[]) => keys.some((key) => Object.hasOwn(schema, key))
  if (has('enum', 'const', '$ref')) return true
  const type = own(schema, 'type')
  if (type === undefined) return has('properties', 'items', 'prefixItems', 'anyOf', 'oneOf', 'allOf')
  return (isList(type) ? type : [type]).every(
    (one) =>
      SCALARS.has(one) ||
      (one === 'array' && has('items', 'prefixItems')) ||
      (one === 'object' && has('properties', 'additionalProperties')),
  )
}

/** False for a reference that does not lead to a definition in the same schema. */
function isResolved(schema: ValueRecord, root: Value): boolean {
  if (['$dynamicRef', '$recursiveRef'].some((key) => Object.hasOwn(schema, key))) return false
  if (!Object.hasOwn(schema, '$ref')) return true
  const reference = ownText(schema, '$ref') ?? ''
  const [, key = '', name = ''] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(reference) ?? []
  return reference === '#' || own(own(root, key), name) !== undefined
}

function recordIn(schema: ValueRecord, key: string): ValueRecord {
  const value = own(schema, key)
  return isRecord(value) ? value : {}
}
