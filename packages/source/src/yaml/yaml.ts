/** The only importer of js-yaml: converts text to events and values, and values to text. */
import {
  boolCoreTag,
  CHOMPING_MODE,
  COLLECTION_STYLE,
  CORE_SCHEMA,
  constructFromEvents,
  DEFAULT_SCALAR_STYLE_RULES,
  DUMP_SCHEMA,
  defineMappingTag,
  defineScalarTag,
  defineSequenceTag,
  dump,
  EVENT_ID,
  type Event,
  floatCoreTag,
  getScalarValue,
  intCoreTag,
  type MappingTagOptions,
  mapTag,
  NOT_RESOLVED,
  nullCoreTag,
  parseEvents,
  SCALAR_STYLE,
  type ScalarEvent,
  type ScalarStyleRule,
  seqTag,
  YAMLException,
  // The browser build, because object spread in the other build makes Node 20 four times slower.
} from 'js-yaml/browser'
import { exactInteger } from '../json/exact-integer.ts'
import { defined } from '../model/value.ts'
import { escapeUnseen, hidesText } from '../text/printable.ts'

export { COLLECTION_STYLE, EVENT_ID, getScalarValue, SCALAR_STYLE }
export type YamlEvent = Event
export type YamlScalar = ScalarEvent
export type YamlCollection = Extract<Event, { type: typeof EVENT_ID.SEQUENCE | typeof EVENT_ID.MAPPING }>

/** The chomping mode that keeps trailing blank lines. */
export const KEEP = CHOMPING_MODE.KEEP

export interface YamlError {
  readonly reason: string
  readonly offset?: number
}

/** The error reason for a plain `.inf` or `.nan`. The error has no offset. */
export const NON_FINITE = 'numbers must be finite: JSON has no .inf or .nan'

/** The error reason for a stack overflow. The error has no offset. */
export const TOO_DEEP = 'nested too deeply'

/** Returns the events of all documents in a text. */
export function readEvents(text: string, maxDepth: number): { events: Event[] } | { error: YamlError } {
  try {
    return { events: parseEvents(text, { maxDepth }) }
  } catch (error) {
    return { error: errorOf(error) }
  }
}

/** Builds the value of the first document. Ignores unknown tags, because each format decides whether to allow them. */
export function readValue(events: Event[], text: string): { value: unknown } | { error: YamlError } {
  try {
    return { value: constructFromEvents(events, { source: text, schema: tolerantSchema })[0] }
  } catch (error) {
    return { error: errorOf(error) }
  }
}

/** The first character of a plain scalar that may not be a string. */
const TYPED = /^(?:$|[-+.0-9~nNtTfF])/

/** Returns the value of an untagged plain scalar. */
export function resolvePlain(source: string): null | boolean | number | string {
  if (!TYPED.test(source)) return source
  for (const tag of [nullCoreTag, boolCoreTag, intCoreTag, floatCoreTag]) {
    const value = tag.resolve(source, false, tag.tagName)
    if (value !== NOT_RESOLVED) return value
  }
  return source
}

/**
 * Returns the keys of each mapping as they appear in the value (`0x10` is "16"), one list per mapping event. Requires
 * valid events.
 */
export function readKeys(events: Event[], text: string): string[][] {
  const lists: string[][] = []
  const recorder: MappingTagOptions<string[]> = {
    create: () => {
      const keys: string[] = []
      lists.push(keys)
      return keys
    },
    addPair: (keys, key) => {
      keys.push(String(key))
      return ''
    },
    has: () => false,
    keys: () => [],
    get: () => undefined,
    identify: () => false,
  }
  const schema = tolerantSchema.withTags(
    defineMappingTag(mapTag.tagName, recorder),
    defineMappingTag(ANY, { ...recorder, ...foreign }),
  )
  constructFromEvents(events, { source: text, schema })
  return lists
}

/**
 * Writes a value as YAML in block style, without anchors or line folding. Invisible and bidirectional characters are
 * escaped.
 */
export function writeYaml(value: unknown): string {
  return escapeUnseen(dump(value, { noRefs: true, lineWidth: -1, scalarStyleRules, schema: writingSchema }))
}

/**
 * Writes a `bigint` like any other integer. A double beyond the safe integers gets an exponent, so that it is parsed as
 * a double again.
 */
const writingSchema = DUMP_SCHEMA.withTags(
  ...DUMP_SCHEMA.tags.flatMap((tag) => {
    if (tag.nodeKind !== 'scalar') return []
    if (tag.tagName === intCoreTag.tagName) {
      return [
        { ...tag, identify: (data: unknown) => typeof data === 'bigint' || (!isCoarse(data) && tag.identify(data)) },
      ]
    }
    if (tag.tagName !== floatCoreTag.tagName) return []
    const represent = (data: unknown) =>
      isCoarse(data) ? data.toExponential().replace(/^(-?[0-9])e/, '$1.e') : String(tag.represent(data))
    return [{ ...tag, identify: (data: unknown) => isCoarse(data) || tag.identify(data), represent }]
  }),
)

function isCoarse(data: unknown): data is number {
  return Number.isInteger(data) && !Number.isSafeInteger(data)
}

const scalarStyleRules: readonly ScalarStyleRule[] = [
  ...Object.values(DEFAULT_SCALAR_STYLE_RULES),
  // js-yaml does not quote a key such as `--- a`, which would start another document.
  (layout) => {
    if (layout.isKey && layout.style === SCALAR_STYLE.PLAIN && /^(?:---|\.\.\.)\s/.test(layout.node.value))
      layout.style = SCALAR_STYLE.SINGLE_QUOTED
  },
  (layout) => {
    if (hidesText(layout.node.value)) layout.style = SCALAR_STYLE.DOUBLE_QUOTED
  },
]

export function isNonFinite(source: string): boolean {
  const value = floatCoreTag.resolve(source, false, floatCoreTag.tagName)
  return value !== NOT_RESOLVED && !Number.isFinite(value)
}

/** A prefix of every tag, so that nodes with unknown tags are treated as untagged. */
const ANY = ''
const foreign = { matchByTagPrefix: true, identify: () => false }

const tolerantSchema = CORE_SCHEMA.withTags(
  defineScalarTag<number | bigint>(intCoreTag.tagName, {
    ...intCoreTag,
    resolve: (source, isExplicit, tagName) => {
      const value = intCoreTag.resolve(source, isExplicit, tagName)
      return value === NOT_RESOLVED ? value : exactInteger(source, value)
    },
  }),
  defineScalarTag<number>(floatCoreTag.tagName, {
    ...floatCoreTag,
    resolve: (source, isExplicit, tagName) => {
      const value = floatCoreTag.resolve(source, isExplicit, tagName)
      if (value === NOT_RESOLVED || Number.isFinite(value)) return value
      if (isExplicit) return NOT_RESOLVED
      throw new YAMLException(NON_FINITE)
    },
  }),
  defineScalarTag<string>(ANY, { ...foreign, resolve: (source) => source }),
  defineSequenceTag(ANY, { ...seqTag, ...foreign }),
  defineMappingTag(ANY, { ...mapTag, ...foreign }),
)

function errorOf(error: unknown): YamlError {
  if (error instanceof YAMLException) return defined({ reason: error.reason, offset: error.mark?.position })
  // js-yaml documents that hostile text may cause any exception.
  return { reason: error instanceof RangeError ? TOO_DEEP : 'invalid YAML' }
}
