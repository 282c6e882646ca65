/** The only importer of js-yaml: text to events and values, values to text. */
import {
  CORE_SCHEMA,
  constructFromEvents,
  defineMappingTag,
  defineScalarTag,
  defineSequenceTag,
  dump,
  EVENT_ID,
  type Event,
  floatCoreTag,
  getScalarValue,
  mapTag,
  parseEvents,
  SCALAR_STYLE,
  type ScalarEvent,
  seqTag,
  YAMLException,
} from 'js-yaml'

export { EVENT_ID, getScalarValue, SCALAR_STYLE }
export type YamlEvent = Event
export type YamlScalar = ScalarEvent

/** What js-yaml says is wrong, with an offset where it knows one. */
export interface YamlFault {
  readonly reason: string
  readonly offset?: number
}

/** Flat events of all documents in a text. */
export function readEvents(text: string, maxDepth: number): { events: Event[] } | { fault: YamlFault } {
  try {
    return { events: parseEvents(text, { maxDepth }) }
  } catch (error) {
    return { fault: faultOf(error) }
  }
}

/** The value of the first document. Unknown tags are ignored here: whether they are allowed is the format's business. */
export function readValue(events: Event[], text: string): { value: unknown } | { fault: YamlFault } {
  try {
    return { value: constructFromEvents(events, { source: text, schema: tolerantSchema })[0] }
  } catch (error) {
    return { fault: faultOf(error) }
  }
}

/** YAML text of a value: block style, no anchors, no line folding. */
export function writeYaml(value: unknown): string {
  return dump(value, { noRefs: true, lineWidth: -1 })
}

/** A number that JSON cannot hold. */
export const NON_FINITE = 'a number must be finite: .inf and .nan have no JSON form'

const tolerantSchema = CORE_SCHEMA.withTags(
  defineScalarTag<unknown>('tag:yaml.org,2002:float', {
    ...floatCoreTag,
    resolve: (source, isExplicit, tagName) => {
      const value = floatCoreTag.resolve(source, isExplicit, tagName)
      if (typeof value === 'number' && !Number.isFinite(value)) throw new YAMLException(NON_FINITE)
      return value
    },
  }),
  ['!', 'tag:'].flatMap((prefix) => [
    defineScalarTag<string>(prefix, { matchByTagPrefix: true, resolve: (source) => source, identify: () => false }),
    defineSequenceTag(prefix, { ...seqTag, matchByTagPrefix: true, identify: () => false }),
    defineMappingTag(prefix, { ...mapTag, matchByTagPrefix: true, identify: () => false }),
  ]),
)

function faultOf(error: unknown): YamlFault {
  if (error instanceof YAMLException) {
    return error.mark === undefined ? { reason: error.reason } : { reason: error.reason, offset: error.mark.position }
  }
  // js-yaml documents that any exception may come out of hostile text.
  return { reason: error instanceof RangeError ? 'nested too deeply' : 'cannot be read as YAML' }
}
