/** The only importer of js-yaml: text to events and values, values to text. */
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
} from 'js-yaml'
import { exactInteger } from '../json/exact-integer.ts'
import { defined } from '../model/value.ts'
import { escapeUnseen, hidesText } from '../text/printable.ts'

export { COLLECTION_STYLE, EVENT_ID, getScalarValue, SCALAR_STYLE }
export type YamlEvent = Event
export type YamlScalar = ScalarEvent
export type YamlCollection = Extract<Event, { type: typeof EVENT_ID.SEQUENCE | typeof EVENT_ID.MAPPING }>

/** The chomping of a block scalar that keeps the blank lines after its content. */
export const KEEP = CHOMPING_MODE.KEEP

/** What js-yaml says is wrong, with an offset where it knows one. */
export interface YamlFault {
  readonly reason: string
  readonly offset?: number
}

/** The reason of a fault that is a plain `.inf` or `.nan`; such a fault has no offset. */
export const NON_FINITE = 'a number must be finite: .inf and .nan have no JSON form'

/** The reason of a fault that is an exhausted stack; such a fault has no offset. */
export const TOO_DEEP = 'nested too deeply'

/** Flat events of all documents in a text. */
export function readEvents(text: string, maxDepth: number): { events: Event[] } | { fault: YamlFault } {
  try {
    return { events: parseEvents(text, { maxDepth }) }
  } catch (error) {
    return { fault: faultOf(error) }
  }
}

/** The value of the first document. Unknown tags are ignored here: whether they are allowed is up to the format. */
export function readValue(events: Event[], text: string): { value: unknown } | { fault: YamlFault } {
  try {
    return { value: constructFromEvents(events, { source: text, schema: tolerantSchema })[0] }
  } catch (error) {
    return { fault: faultOf(error) }
  }
}

/** How a plain scalar that stands for something other than its text begins. */
const TYPED = /^(?:$|[-+.0-9~nNtTfF])/

/** What a plain scalar without a tag stands for. */
export function resolvePlain(source: string): null | boolean | number | string {
  if (!TYPED.test(source)) return source
  for (const tag of [nullCoreTag, boolCoreTag, intCoreTag, floatCoreTag]) {
    const value = tag.resolve(source, false, tag.tagName)
    if (value !== NOT_RESOLVED) return value
  }
  return source
}

/** The keys of each mapping as its value spells them (`0x10`: "16"), a list per mapping event. For readable events. */
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

/** YAML text of a value: block style, no anchors, no line folding, escapes for what hides or reorders text. */
export function writeYaml(value: unknown): string {
  return escapeUnseen(dump(value, { noRefs: true, lineWidth: -1, scalarStyleRules, schema: writingSchema }))
}

/**
 * Writes a `bigint` like any other integer. A double that is beyond the integers it can tell apart gets an exponent, so
 * that it is read as a double again.
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
  // js-yaml leaves a key such as `--- a` plain, and at the start of a line that begins another document.
  (layout) => {
    if (layout.isKey && layout.style === SCALAR_STYLE.PLAIN && /^(?:---|\.\.\.)\s/.test(layout.node.value)) {
      layout.style = SCALAR_STYLE.SINGLE_QUOTED
    }
  },
  (layout) => {
    if (hidesText(layout.node.value)) layout.style = SCALAR_STYLE.DOUBLE_QUOTED
  },
]

/** Whether a plain scalar is one of YAML's numbers that JSON cannot hold. */
export function isNonFinite(source: string): boolean {
  const value = floatCoreTag.resolve(source, false, floatCoreTag.tagName)
  return value !== NOT_RESOLVED && !Number.isFinite(value)
}

/** The prefix of every tag: what the core schema does not know is read as if it had no tag. */
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

function faultOf(error: unknown): YamlFault {
  if (error instanceof YAMLException) return defined({ reason: error.reason, offset: error.mark?.position })
  // js-yaml documents that any exception may come out of hostile text.
  return { reason: error instanceof RangeError ? TOO_DEEP : 'cannot be read as YAML' }
}
