/**
 * The root of the paths of indicators, triggers and extractors
 * ([OATF §5.3](https://oatf.io/specification/execution-profile/)): the message with added values.
 */
import { a2aTexts, partTexts, TEXTS } from '@joust/oatf'
import type { TraceEntry } from '@joust/results'
import { isRecord, own, type Value, writeJson } from '@joust/source'

/** The parts of a message that its root is built from. */
type Rooted = Pick<
  TraceEntry,
  'actor' | 'session' | 'protocol' | 'surface' | 'direction' | 'content' | 'request' | 'arguments' | 'headers'
>

/** Returns the root of a message; must be called for every message, in order. */
type ContentRoot = (message: Rooted) => Value

/**
 * Creates a reader for these paths. An added value is visible only to paths that name it, so that a path to the whole
 * message, or with a wildcard, matches only what the agent sent.
 */
export function contentRoot(paths: readonly string[]): ContentRoot {
  const names = (key: string) => paths.some((path) => new RegExp(`\\b${key}\\b`).test(path))
  const readers = [
    ...(names(REQUEST) ? [withRequest] : []),
    ...(names(ARGUMENTS) ? [withArguments] : []),
    ...(names(HEADERS) ? [withHeaders] : []),
    ...(names(TEXTS) ? [createTexts()] : []),
  ]
  return (message) => readers.reduce((content, read) => read(message, content), message.content)
}

const REQUEST = '_request'
const ARGUMENTS = '_arguments'
const HEADERS = 'x-joust-headers'

type Reader = (message: Rooted, content: Value) => Value

/**
 * Adds the params of the request ([OATF SDK §4.1](https://oatf.io/sdk/evaluation/)); a key of that name in the message
 * is kept.
 */
function withRequest({ request }: Rooted, content: Value): Value {
  return request === undefined ? content : beside(content, REQUEST, request)
}

/** Adds the complete arguments to the end of an AG-UI tool call. */
function withArguments({ arguments: whole }: Rooted, content: Value): Value {
  return whole === undefined ? content : beside(content, ARGUMENTS, whole)
}

/** Adds the HTTP headers of the message. */
export function withHeaders({ headers }: Pick<Rooted, 'headers'>, content: Value): Value {
  return headers === undefined ? content : beside(content, HEADERS, headers)
}

/** Adds all texts of the content, and the assembled text of an artifact that arrives in pieces. */
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
    return beside(content, TEXTS, [...a2aTexts(message.content), ...assembled(message)])
  }
}

function beside(content: Value, key: string, value: Value): Value {
  return isRecord(content) && !Object.hasOwn(content, key) ? { ...content, [key]: value } : content
}
