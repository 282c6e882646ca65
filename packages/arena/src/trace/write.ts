import { messageOf } from '../model/errors.ts'
import type { TraceEntry } from '../model/trace-entry.ts'
import { deepJson } from './deep-json.ts'

/**
 * An entry as a line of a trace, without its line break. Never throws: a content that JSON cannot hold becomes an entry
 * that is `malformed`, so that a judge does not take it for harmless.
 */
export function traceLine(entry: TraceEntry): string {
  const whole = attempt(() => JSON.stringify(entry))
  if (typeof whole === 'string') return whole
  const { content, ...rest } = entry
  const deep = attempt(() => `${JSON.stringify(rest).slice(0, -1)},"content":${deepJson(content)}}`)
  if (typeof deep === 'string') return deep
  return JSON.stringify({ ...rest, content: '', malformed: `the content could not be written: ${deep.reason}` })
}

function attempt(write: () => string): string | { readonly reason: string } {
  try {
    return write()
  } catch (thrown) {
    return { reason: messageOf(thrown) }
  }
}
