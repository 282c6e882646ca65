import { findJsonFault } from './json-fault.ts'
import { defaultLimits, type Limits } from './limits.ts'
import { Lines } from './lines.ts'
import { ok, type Result } from './result.ts'
import { overLimit, type SourceDiagnostic, unreadable } from './source.ts'
import { utf8Length } from './utf8-length.ts'
import type { Value } from './value.ts'

/** A numeral that could be beyond the range of a double. Looking closer costs a second reading, so only then. */
const LARGE_POWER = /[eE]\+?[0-9]{3}/
const MANY_DIGITS = /(?<![0-9])[0-9]{309}/

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
  const fault = value === undefined || mayOverflow(json) ? findJsonFault(json) : undefined
  if (fault !== undefined) {
    return unreadable('syntax', `not JSON: ${fault.message}`, new Lines(text).position(mark + fault.offset))
  }
  // An engine that reads recursively refuses good JSON when its stack ends.
  return value === undefined ? unreadable('syntax', 'JSON nested too deeply') : ok(value)
}

function mayOverflow(json: string): boolean {
  if (LARGE_POWER.test(json)) return true
  // Of 309 digits in a row, one stands on one of these places.
  for (let index = 308; index < json.length; index += 309) {
    const unit = json.charCodeAt(index)
    if (unit >= 0x30 && unit <= 0x39) return MANY_DIGITS.test(json)
  }
  return false
}

/** Undefined is no JSON value, so it can stand for a failure; the reason is found elsewhere. */
function parse(json: string): Value | undefined {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
