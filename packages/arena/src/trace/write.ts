import { writeJson } from '@joust/source'
import { messageOf } from '../model/errors.ts'
import type { TraceEntry } from '../model/trace-entry.ts'

/**
 * An entry as a line of a trace, without its line break. Never throws: a content that JSON cannot hold becomes an entry
 * that is `malformed`, so that a judge does not take it for harmless.
 */
export function traceLine(entry: TraceEntry): string {
  try {
    return writeJson(entry)
  } catch (thrown) {
    const { content, ...rest } = entry
    return writeJson({ ...rest, content: '', malformed: `the content could not be written: ${messageOf(thrown)}` })
  }
}
