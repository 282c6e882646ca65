import { exceeded, type LimitExceeded, type Limits, withLimits } from '../model/limits.ts'
import { err, ok, type Result } from '../model/result.ts'
import { isList, type Value } from '../model/value.ts'
import { writeJson } from './write-json.ts'

/** The order of keys: sorted by code point, or as in the value. */
export type KeyOrder = 'code-point' | 'document'

/** Writes compact JSON: no white space, keys in the chosen order, at most `compactJsonDepth` levels. */
export function compactJson(
  value: Value,
  order: KeyOrder = 'code-point',
  changes?: Partial<Limits>,
): Result<string, LimitExceeded> {
  const limits = withLimits(changes)
  try {
    return ok(write(value, order === 'code-point', limits.compactJsonDepth))
  } catch (error) {
    // If the limit is much higher, the stack overflows first, which is also reported as exceeding the limit.
    if (error instanceof RangeError) return err(exceeded(limits, 'compactJsonDepth'))
    throw error
  }
}

/** Returns a string unchanged, any other value as compact JSON. Used by string operators, extractors and templates. */
export function valueToText(
  value: Value,
  order: KeyOrder = 'code-point',
  limits?: Partial<Limits>,
): Result<string, LimitExceeded> {
  return typeof value === 'string' ? ok(value) : compactJson(value, order, limits)
}

function write(value: Value, sorted: boolean, levels: number): string {
  if (typeof value !== 'object' || value === null) return writeJson(value)
  if (levels < 1) throw new RangeError('too deep')
  if (isList(value)) return `[${value.map((item) => write(item, sorted, levels - 1)).join(',')}]`
  const keys = Object.keys(value)
  if (sorted) keys.sort(compareCodePoints)
  const fields = keys.map((key) => `${JSON.stringify(key)}:${write(value[key] ?? null, sorted, levels - 1)}`)
  return `{${fields.join(',')}}`
}

/** Compares by code point. JavaScript compares by UTF-16 unit, which puts U+1F600 before U+FF5E. */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const x = a.charCodeAt(index)
    const y = b.charCodeAt(index)
    if (x !== y) return rank(x) - rank(y)
  }
  return a.length - b.length
}

/** Returns the rank of a UTF-16 unit. Surrogates encode code points above all other units. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}
