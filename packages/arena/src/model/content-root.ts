/** The root of the paths of indicators, triggers and extractors (OATF §5.3): the message, and the added values that they name. */
import { a2aTexts, partTexts, TEXTS } from '@joust/oatf'
import { isRecord, own, type Value, writeJson } from '@joust/source'
import type { TraceEntry } from './trace-entry.ts'

/** What of a message its root is made of. */
type Rooted = Pick<
  TraceEntry,
  'actor' | 'session' | 'protocol' | 'surface' | 'direction' | 'content' | 'request' | 'arguments'
>

/** Reads the root of a message; to be called for every message, in order. */
type ContentRoot = (message: Rooted) => Value

/**
 * A reader of messages for these paths. An added value is visible only to paths that name it: a path to the whole
 * message, or to anywhere in it, leads to what the agent sent and not to what the attacker did.
 */
export function contentRoot(paths: readonly string[]): ContentRoot {
  const names = (key: string) => paths.some((path) => new RegExp(`\\b${key}\\b`).test(path))
  const readers = [
    ...(names(REQUEST) ? [withRequest] : []),
    ...(names(ARGUMENTS) ? [withArguments] : []),
    ...(names(TEXTS) ? [createTexts()] : []),
  ]
  return (message) => readers.reduce((content, read) => read(message, content), message.content)
}

const REQUEST = '_request'
const ARGUMENTS = '_arguments'

type Reader = (message: Rooted, content: Value) => Value

/** The content with the params that it answers (SDK §4.1); a key of that name that the agent itself sent stays. */
function withRequest({ request }: Rooted, content: Value): Value {
  return request === undefined ? content : beside(content, REQUEST, request)
}

/** The end of a tool call of AG-UI with its whole arguments. */
function withArguments({ arguments: whole }: Rooted, content: Value): Value {
  return whole === undefined ? content : beside(content, ARGUMENTS, whole)
}

/** The content with all its texts; for an artifact that comes in pieces, also with everything received so far. */
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
