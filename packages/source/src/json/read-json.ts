import { type Limits, withLimits } from '../model/limits.ts'
import { ok, type Result } from '../model/result.ts'
import { overLimit, type SourceDiagnostic, unreadable } from '../model/source.ts'
import { toDoubles, type Value } from '../model/value.ts'
import { cut } from '../text/cut.ts'
import { utf8Length } from '../text/length.ts'
import { Lines } from '../text/lines.ts'
import { replaceLostIntegers } from './exact-integer.ts'
import { scanJson } from './scan-json.ts'

/** A number that may exceed the range or precision of a double. Only matching texts need the slower parser. */
const NEEDS_CARE = /[eE]\+?[0-9]{3}|(?:^|[\s:,[-])[0-9]{16}/

/**
 * Parses JSON text such as a recorded message. Numbers beyond the range of a double are rejected instead of becoming
 * infinite. Integers of up to 64 bits are exact. A byte order mark is skipped. Depth is not limited here.
 */
export function readJson(text: string, changes?: Partial<Limits>): Result<Value, SourceDiagnostic[]> {
  const limits = withLimits(changes)
  const bytes = utf8Length(text, limits.yamlBytes)
  if (bytes > limits.yamlBytes) return overLimit(limits, 'yamlBytes', bytes)

  const mark = text.startsWith('\ufeff') ? 1 : 0
  const json = mark === 0 ? text : text.slice(mark)
  const value = NEEDS_CARE.test(json) ? undefined : parseJson(json)
  if (value !== undefined) return ok(value)
  const read = scanJson(json)
  if (read.ok) return read
  return unreadable('syntax', `not JSON: ${read.error.message}`, new Lines(text).position(mark + read.error.offset))
}

/** Parses JSON with every number as a double. Rejects integers that a double cannot represent exactly. */
export function readExactDoubles(text: string, limits?: Partial<Limits>): Result<Value, SourceDiagnostic[]> {
  const read = readJson(text, limits)
  if (!read.ok) return read
  let lost: { readonly numeral: string; readonly offset: number } | undefined
  replaceLostIntegers(text, (numeral, offset) => {
    lost ??= { numeral, offset }
    return numeral
  })
  if (lost === undefined) return ok(toDoubles(read.value))
  const message = `the integer ${cut(lost.numeral, 40)} cannot be represented exactly; write it as a string`
  return unreadable('syntax', message, new Lines(text).position(lost.offset))
}

/** Like `JSON.parse`, but returns undefined (which is not a JSON value) instead of throwing. */
export function parseJson(json: string): Value | undefined {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
