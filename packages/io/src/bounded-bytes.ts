/** Bytes kept up to a limit: what a peer sends must not grow without bound. */

/** A buffer that grows as far as its limit. */
export interface BoundedBytes {
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
    // A stream that goes on has the decoder hold an unfinished character back.
    text: () => new TextDecoder('utf-8', { ignoreBOM: true }).decode(buffer.subarray(0, size), { stream: over }),
  }
}
