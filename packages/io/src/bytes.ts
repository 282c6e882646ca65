/** Bytes of a peer: kept up to a limit, since they must not grow without bound, and read as text. Hashes of bytes. */
import { createHash } from 'node:crypto'

/** A buffer that grows as far as its limit. */
interface BoundedBytes {
  /** Adds bytes; false when these or earlier ones went over the limit and were left out. */
  add(bytes: Uint8Array): boolean
  size(): number
  /** Forgets everything from a position on. */
  truncate(size: number): void
  /** What has been kept, as it is now. */
  bytes(): Uint8Array
  /** The same as text. A character cut by the limit is left out, other bad bytes become U+FFFD. */
  text(): string
}

/** An empty buffer. */
export function createBoundedBytes(limit: number): BoundedBytes {
  let buffer = new Uint8Array(0)
  let size = 0
  let over = false
  return {
    add(bytes) {
      const kept = bytes.subarray(0, Math.max(0, limit - size))
      if (size + kept.length > buffer.length) {
        const grown = new Uint8Array(Math.min(limit, Math.max(2 * buffer.length, size + kept.length)))
        grown.set(buffer.subarray(0, size))
        buffer = grown
      }
      buffer.set(kept, size)
      size += kept.length
      over ||= kept.length < bytes.length
      return !over
    },
    size: () => size,
    truncate: (to) => {
      size = Math.min(size, to)
      over = false
    },
    bytes: () => buffer.slice(0, size),
    // With `stream`, the decoder holds back an unfinished character.
    text: () => new TextDecoder('utf-8', { ignoreBOM: true }).decode(buffer.subarray(0, size), { stream: over }),
  }
}

/** A text; with `fault` when the bytes are not UTF-8, and then each character stands for one byte. */
export interface StrictText {
  readonly text: string
  readonly fault?: string
}

/** Strict UTF-8, since a replaced character could hide what is looked for; `isCut` drops an unfinished last one. */
export function strictText(bytes: Uint8Array, isCut = false): StrictText {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: isCut }) }
  } catch {
    return { text: Buffer.from(bytes).toString('latin1'), fault: 'not UTF-8: kept byte by byte, as Latin-1' }
  }
}

/** Bytes as base64. */
export function base64Of(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}

/** The SHA-256 of a content, or the beginning of it, in hexadecimal digits. */
export function sha256(content: string | Uint8Array, digits = 64): string {
  return createHash('sha256').update(content).digest('hex').slice(0, digits)
}
