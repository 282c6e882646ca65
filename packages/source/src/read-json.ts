import { defaultLimits, exceeded, type Limits } from './limits.ts'
import { Lines } from './lines.ts'
import type { SourceDiagnostic } from './read-source.ts'
import { err, ok, type Result } from './result.ts'
import type { Value } from './value.ts'

/** A numeral that could be beyond the range of a double; a reviver is slow and recursive, so only then. */
const MAY_OVERFLOW = /[eE]\+?[0-9]{3}|[0-9]{309}/

/** Reads JSON text such as a recorded message. Numbers beyond the range of a double are refused, not made infinite. */
export function readJson(text: string, limits: Limits = defaultLimits): Result<Value, SourceDiagnostic[]> {
  if (text.length > limits.yamlBytes) {
    return err([{ severity: 'error', code: 'limit', message: exceeded(limits, 'yamlBytes', text.length).message }])
  }
  try {
    const value: Value = MAY_OVERFLOW.test(text) ? JSON.parse(text, refuseInfinite) : JSON.parse(text)
    return ok(value)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const offset = /position (\d+)/.exec(message)?.[1]
    const position = offset === undefined ? undefined : new Lines(text).position(Number(offset))
    return err([{ severity: 'error', code: 'syntax', message: `not JSON: ${message}`, ...position }])
  }
}

function refuseInfinite(_key: string, value: Value): Value {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new Error('a number is out of range')
  return value
}
