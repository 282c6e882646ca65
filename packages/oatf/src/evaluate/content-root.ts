/**
 * The value at which paths in indicators, triggers and extractors start ([OATF
 * §5.3](https://oatf.io/specification/execution-profile/)): the message with added values.
 */
import { isRecord, own, type Value, writeJson } from '@joust/source'
import { a2aTexts, partTexts, TEXTS } from '../bindings/a2a-texts.ts'
import type { Indicator } from '../model/document.ts'
import type { TraceMessage } from '../model/trace-message.ts'

/** The message fields from which the root is built. */
type Rooted = Pick<TraceMessage, 'content'> & Partial<TraceMessage>

/** Returns the root of a message. Must be called for every message, in order. */
type ContentRoot = (message: Rooted) => Value

/**
 * Creates a function that builds roots for these paths. A value is added only if a path mentions it, so that a wildcard
 * path or a path to the whole message matches only what the agent sent.
 */
export function contentRoot(paths: readonly string[]): ContentRoot {
  const names = namesIn(paths)
  const readers = [
    ...(names(REQUEST) ? [withRequest] : []),
    ...(names(ARGUMENTS) ? [withArguments] : []),
    ...(names(HEADERS) ? [withHeaders] : []),
    ...(names(TEXTS) ? [createTexts()] : []),
  ]
  return (message) => readers.reduce((content, read) => read(message, content), message.content)
}

/** Returns the paths in an indicator and the text of its expression, which may contain paths. */
export function indicatorPaths(indicator: Indicator): readonly string[] {
  const { target, pattern, expression, semantic } = isRecord(indicator) ? indicator : ({} as Partial<Indicator>)
  const variables = Object.values(expression?.variables ?? {})
  const paths = [target, pattern?.target, semantic?.target, expression?.cel, ...variables]
  return paths.filter((path) => typeof path === 'string')
}

/** Returns the added values that the paths mention and that the message should have, but lacks. */
export function missingValues(paths: readonly string[], { surface, direction }: TraceMessage, root: Value): string[] {
  const expected = [...(direction === 'response' ? [REQUEST] : []), ...(surface === 'tool_call_end' ? [ARGUMENTS] : [])]
  return expected.filter(namesIn(paths)).filter((key) => own(root, key) === undefined)
}

function namesIn(paths: readonly string[]): (key: string) => boolean {
  return (key) => paths.some((path) => new RegExp(`\\b${key}\\b`).test(path))
}

const REQUEST = '_request'
const ARGUMENTS = '_arguments'
const HEADERS = 'x-joust-headers'

type Reader = (message: Rooted, content: Value) => Value

/** Adds the request params ([OATF SDK §4.1](https://oatf.io/sdk/evaluation/)). An existing key of that name is kept. */
function withRequest({ request }: Rooted, content: Value): Value {
  return request === undefined ? content : withKey(content, REQUEST, request)
}

/** Adds the complete arguments to the end event of an AG-UI tool call. */
function withArguments({ arguments: whole }: Rooted, content: Value): Value {
  return whole === undefined ? content : withKey(content, ARGUMENTS, whole)
}

function withHeaders({ headers }: Rooted, content: Value): Value {
  return headers === undefined ? content : withKey(content, HEADERS, headers)
}

/** Adds all texts in the content, and the joined text of an artifact that arrives in chunks. */
function createTexts(): Reader {
  const pieces = new Map<string, string>()
  const assembled = ({ actor, session, surface, content }: Rooted): readonly string[] => {
    const artifact = own(content, 'artifact')
    if (!isRecord(content) || !isRecord(artifact)) return []
    const ids = [own(content, 'taskId') ?? null, own(artifact, 'artifactId') ?? null]
    const key = writeJson([actor, session, surface, ...ids])
    const before = own(content, 'append') === true ? (pieces.get(key) ?? '') : ''
    const whole = `${before}${partTexts(artifact).join('')}`
    pieces.set(key, whole)
    return before === '' ? [] : [whole]
  }
  return (message, content) => {
    if (message.protocol !== 'a2a' || message.direction !== 'response') return content
    return withKey(content, TEXTS, [...a2aTexts(message.content), ...assembled(message)])
  }
}

function withKey(content: Value, key: string, value: Value): Value {
  return isRecord(content) && !Object.hasOwn(content, key) ? { ...content, [key]: value } : content
}
