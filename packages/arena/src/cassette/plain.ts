/** Values of the model port as JSON and back: bytes, dates and large integers are marked. */
import type { Value } from '@joust/source'

const BYTES = '$base64'
const DATE = '$date'
const INTEGER = '$integer'

/** A copy that JSON can hold. */
export function toPlain(value: unknown): Value {
  const text = JSON.stringify(value, function (this: Record<string, unknown>, key, given: unknown) {
    // A date has turned itself into text before it is handed over.
    const item = this[key]
    if (item instanceof Uint8Array) return { [BYTES]: base64Of(item) }
    if (item instanceof Date) return { [DATE]: item.toISOString() }
    return typeof item === 'bigint' ? { [INTEGER]: String(item) } : given
  })
  return text === undefined ? null : JSON.parse(text)
}

/** What was made plain, as it was. */
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

/** Bytes as text. */
function base64Of(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}

/** Text as the bytes it was. */
function bytesIn(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}
