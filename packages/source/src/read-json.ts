import { findJsonFault } from './json-fault.ts'
import { defaultLimits, type Limits } from './limits.ts'
import { Lines } from './lines.ts'
import { ok, type Result } from './result.ts'
import { overLimit, type SourceDiagnostic, unreadable } from './source.ts'
import { utf8Length } from './utf8-length.ts'
import type { Value } from './value.ts'

/** A numeral that could be beyond the range of a double. Looking closer costs a second reading, so only then. */
const MAY_OVERFLOW = /[eE]\+?[0-9]{3}|(?<![0-9])[0-9]{309}/

/**
 * Reads JSON text such as a recorded message. Numbers beyond the range of a double are refused, not made infinite.
 * A byte order mark is skipped. Depth is not limited: what walks a message limits itself.
 */
export function readJson(text: string, limits: Limits = defaultLimits): Result<Value, SourceDiagnostic[]> {
  const bytes = utf8Length(text, limits.yamlBytes)
  if (bytes > limits.yamlBytes) return overLimit(limits, 'yamlBytes', bytes)

  const mark = text.startsWith('\ufeff') ? 1 : 0
  const json = mark === 0 ? text : text.slice(mark)
  const value = parse(json)
  const fault = value === undefined || MAY_OVERFLOW.test(json) ? findJsonFault(json) : undefined
  if (fault !== undefined) {
    return unreadable('syntax', `not JSON: ${fault.message}`, new Lines(text).position(mark + fault.offset))
  }
  // An engine that reads recursively refuses good JSON when its stack ends.
  return value === undefined ? unreadable('syntax', 'JSON nested too deeply') : ok(value)
}

/** Undefined is no JSON value, so it can stand for a failure; the reason is found elsewhere. */
function parse(json: string): Value | undefined {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
