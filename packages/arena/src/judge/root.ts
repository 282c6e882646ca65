/** What an indicator looks at: the message, and what the indicator asks for in addition by a name of ours. */
import { a2aTexts, type Indicator, partTexts, TEXTS } from '@joust/oatf'
import { isRecord, own, type Value, writeJson } from '@joust/source'
import type { TraceEntry } from '../model/trace-entry.ts'

/** Reads the root of a message; to be called for every message, in order. */
type Root = (entry: TraceEntry) => Value

const REQUEST = '_request'

/** How an indicator reads messages. */
export function rootFor(indicator: Indicator): Root {
  const paths = pathsOf(indicator)
  const names = (key: string) => paths.some((path) => path.includes(key))
  const readers = [...(names(REQUEST) ? [withRequest] : []), ...(names(TEXTS) ? [createTexts()] : [])]
  return (entry) => readers.reduce((content, read) => read(entry, content), entry.content)
}

type Reader = (entry: TraceEntry, content: Value) => Value

/** The content with the params that it answers (SDK §4); a key of that name that the agent itself sent stays. */
function withRequest({ request }: TraceEntry, content: Value): Value {
  return request === undefined ? content : beside(content, REQUEST, request)
}

/** The content with all its texts; for an artifact that comes in pieces, also with everything received so far. */
function createTexts(): Reader {
  const pieces = new Map<string, string>()
  const assembled = ({ actor, session, surface, content }: TraceEntry): readonly string[] => {
    const artifact = own(content, 'artifact')
    if (!isRecord(content) || !isRecord(artifact)) return []
    const ids = [own(content, 'taskId') ?? null, own(artifact, 'artifactId') ?? null]
    const key = writeJson([actor, session, surface, ...ids])
    const before = own(content, 'append') === true ? (pieces.get(key) ?? '') : ''
    const whole = `${before}${partTexts(artifact).join('')}`
    pieces.set(key, whole)
    return before === '' ? [] : [whole]
  }
  return (entry, content) => {
    if (entry.protocol !== 'a2a' || entry.direction !== 'response') return content
    return beside(content, TEXTS, [...a2aTexts(entry.content), ...assembled(entry)])
  }
}

function beside(content: Value, key: string, value: Value): Value {
  return isRecord(content) && !Object.hasOwn(content, key) ? { ...content, [key]: value } : content
}

/** Every path of an indicator, and its expression. */
function pathsOf(indicator: Indicator): readonly string[] {
  const { target, pattern, expression, semantic } = isRecord(indicator) ? indicator : ({} as Partial<Indicator>)
  const paths = [
    target,
    pattern?.target,
    semantic?.target,
    expression?.cel,
    ...Object.values(expression?.variables ?? {}),
  ]
  return paths.filter((path) => typeof path === 'string')
}
