/** Buffers, decodes and hashes received bytes. */
import { createHash } from 'node:crypto'

interface BoundedBytes {
  /** Appends bytes and drops those over the limit. Returns false if any have been dropped. */
  add(bytes: Uint8Array): boolean
  size(): number
  truncate(size: number): void
  bytes(): Uint8Array
  /** Returns the buffered bytes as text. A character cut by the limit is dropped; other invalid bytes become U+FFFD. */
  text(): string
}

/** Creates an empty buffer that grows up to a limit. */
export function createBoundedBytes(limit: number): BoundedBytes {
  let buffer = new Uint8Array(0)
  let size = 0
  let over = false
  return {
    add(bytes) {
      const part = bytes.subarray(0, Math.max(0, limit - size))
      if (size + part.length > buffer.length) {
        const grown = new Uint8Array(Math.min(limit, Math.max(2 * buffer.length, size + part.length)))
        grown.set(buffer.subarray(0, size))
        buffer = grown
      }
      buffer.set(part, size)
      size += part.length
      over ||= part.length < bytes.length
      return !over
    },
    size: () => size,
    truncate: (to) => {
      size = Math.min(size, to)
      over = false
    },
    bytes: () => buffer.slice(0, size),
    // If `stream` is set, the decoder holds back an unfinished character.
    text: () => new TextDecoder('utf-8', { ignoreBOM: true }).decode(buffer.subarray(0, size), { stream: over }),
  }
}

/** Decoded text. If the bytes are not UTF-8, `fault` is set and each character represents one byte. */
export interface StrictText {
  readonly text: string
  readonly fault?: string
}

/**
 * Decodes UTF-8 strictly, as a replacement character could hide a match. `isCut` drops an incomplete last character.
 */
export function strictText(bytes: Uint8Array, isCut = false): StrictText {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: isCut }) }
  } catch {
    return { text: Buffer.from(bytes).toString('latin1'), fault: 'not UTF-8, decoded as Latin-1' }
  }
}

/** Returns the first `digits` hexadecimal digits of the SHA-256 hash. */
export function sha256(content: string | Uint8Array, digits = 64): string {
  return createHash('sha256').update(content).digest('hex').slice(0, digits)
}
