/** The identity of recorded calls. */
import { base64Of, compactJson, type Value, withLimits } from '@joust/source'
import { ArenaError } from '../model/errors.ts'
import type { CallKind } from './recording.ts'

/**
 * Values that differ between runs and may occur in a prompt or request: ids of sessions, tasks, messages and
 * quotations, loopback ports of actors, timestamps. They are numbered by first occurrence to compare calls; recordings
 * keep them.
 */
const varying: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['id', /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi],
  ['loopback', /(?:\b127\.0\.0\.1|\blocalhost|\[::1\]):\d{1,5}\b/g],
  ['time', /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)/g],
]

const limits = withLimits({ compactJsonDepth: 2000 })

/** A text that is equal for equivalent calls. */
export function callIdentity(kind: CallKind, request: Value): string {
  const text = compactJson(request, 'code-point', limits)
  if (!text.ok) throw new ArenaError('cassette_failed', `the call cannot be recorded: ${text.error.message}`)
  return `${kind} ${steady(text.value)}`
}

/** A text without values that differ between runs. */
export function steady(text: string): string {
  let result = text
  for (const [name, pattern] of varying) {
    const numbers = new Map<string, number>()
    result = result.replaceAll(pattern, (match) => {
      const number = numbers.get(match) ?? numbers.size + 1
      numbers.set(match, number)
      return `<${name} ${number}>`
    })
  }
  return result
}

const BYTES = '$base64'
const DATE = '$date'
const INTEGER = '$integer'

/** A copy as plain JSON. */
export function toPlain(value: unknown): Value {
  const text = JSON.stringify(value, function (this: Record<string, unknown>, key, converted: unknown) {
    // A date is already converted to a string here.
    const item = this[key]
    if (item instanceof Uint8Array) return { [BYTES]: base64Of(item) }
    if (item instanceof Date) return { [DATE]: item.toISOString() }
    return typeof item === 'bigint' ? { [INTEGER]: String(item) } : converted
  })
  return text === undefined ? null : JSON.parse(text)
}

/** Undoes `toPlain`. */
export function fromPlain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, item: unknown) => {
    if (typeof item !== 'object' || item === null) return item
    const [entry, ...others] = Object.entries(item)
    if (entry === undefined || others.length > 0 || typeof entry[1] !== 'string') return item
    if (entry[0] === BYTES) return bytesIn(entry[1])
    if (entry[0] === INTEGER && /^-?[0-9]{1,20}$/.test(entry[1])) return BigInt(entry[1])
    return entry[0] === DATE ? new Date(entry[1]) : item
  })
}

function bytesIn(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}
