/** What makes two calls the same. */
import { base64Of } from '@joust/io'
import { compactJson, type Value, withLimits } from '@joust/source'
import { ArenaError } from '../model/errors.ts'
import type { CallKind } from './recording.ts'

/**
 * What is drawn anew in every run and may get into a prompt or a request: identifiers of sessions, tasks, messages and
 * quotations, the loopback ports of actors, the times of day in their answers. Calls that differ in nothing else ask
 * the same, so here each of them is numbered by first appearance; what is stored keeps them.
 */
const varying: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['id', /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi],
  ['loopback', /(?:\b127\.0\.0\.1|\blocalhost|\[::1\]):\d{1,5}\b/g],
  ['time', /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)/g],
]

const limits = withLimits({ compactJsonDepth: 2000 })

/** A request as text that is equal for calls that ask the same. */
export function callIdentity(kind: CallKind, request: Value): string {
  const text = compactJson(request, 'code-point', limits)
  if (!text.ok) throw new ArenaError('cassette_failed', `a call cannot be recorded: ${text.error.message}`)
  return `${kind} ${steady(text.value)}`
}

/** A text without what varies from run to run. */
export function steady(text: string): string {
  let result = text
  for (const [name, pattern] of varying) {
    const seen = new Map<string, number>()
    result = result.replaceAll(pattern, (found) => {
      const number = seen.get(found) ?? seen.size + 1
      seen.set(found, number)
      return `<${name} ${number}>`
    })
  }
  return result
}

const BYTES = '$base64'
const DATE = '$date'
const INTEGER = '$integer'

/** A copy that JSON can hold. */
export function toPlain(value: unknown): Value {
  const text = JSON.stringify(value, function (this: Record<string, unknown>, key, given: unknown) {
    // A date has already turned itself into text before it is passed in.
    const item = this[key]
    if (item instanceof Uint8Array) return { [BYTES]: base64Of(item) }
    if (item instanceof Date) return { [DATE]: item.toISOString() }
    return typeof item === 'bigint' ? { [INTEGER]: String(item) } : given
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
