/** Splits bytes into lines of bounded length. */
import { createBoundedBytes } from './bounded-bytes.ts'

/** A line that came in. */
export interface Line {
  /** Without the line break; cut where it goes over the limit. */
  readonly text: string
  /** Set when the line went over the limit, or is not UTF-8 although it has to be. */
  readonly fault?: string
}

/** Takes chunks, gives lines. */
export interface LineSplitter {
  /** The lines that a chunk brings to their end. */
  push(chunk: Uint8Array | string): readonly Line[]
  /** The last line, when it has no line break. */
  end(): readonly Line[]
}

/** How lines are read. */
export interface LineOptions {
  /** Whether bytes that are not UTF-8 are a fault of their line; otherwise they become U+FFFD. */
  readonly strict?: boolean
}

const LINE_FEED = 10

/**
 * Splits at line feeds, before anything is decoded; a carriage return before one belongs to the break. A line over the
 * limit is given out as soon as it is, cut and with `fault`; the rest of it is skipped.
 */
export function createLineSplitter(maxLineBytes: number, { strict = false }: LineOptions = {}): LineSplitter {
  const held = createBoundedBytes(maxLineBytes)
  const decode = lineDecoder(strict)
  const { encode, flush } = chunkEncoder()
  let skipping = false
  const cut = (): Line => {
    const text = withoutReturn(held.text())
    held.truncate(0)
    return { text, fault: `longer than ${maxLineBytes} bytes` }
  }
  const finish = (part: Uint8Array): Line => {
    // Most lines are in one piece, and need no copy.
    if (held.size() === 0 && part.length <= maxLineBytes) return decode(part)
    if (!held.add(part)) return cut()
    const line = decode(held.bytes())
    held.truncate(0)
    return line
  }
  return {
    push(chunk) {
      const bytes = encode(chunk)
      const lines: Line[] = []
      let start = 0
      for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, start)) {
        if (!skipping) lines.push(finish(bytes.subarray(start, at)))
        skipping = false
        start = at + 1
      }
      if (skipping || held.add(bytes.subarray(start))) return lines
      skipping = true
      return [...lines, cut()]
    },
    end() {
      if (skipping || (held.add(flush()) && held.size() === 0)) return []
      return [finish(new Uint8Array())]
    },
  }
}

function lineDecoder(strict: boolean): (bytes: Uint8Array) => Line {
  const lenient = new TextDecoder('utf-8', { ignoreBOM: true })
  if (!strict) return (bytes) => ({ text: withoutReturn(lenient.decode(bytes)) })
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true })
  return (bytes) => {
    try {
      return { text: withoutReturn(decoder.decode(bytes)) }
    } catch {
      return { text: withoutReturn(lenient.decode(bytes)), fault: 'not UTF-8' }
    }
  }
}

/** Text as bytes; one half of a surrogate pair waits for the other. */
function chunkEncoder() {
  const encoder = new TextEncoder()
  let half = ''
  const flush = (): Uint8Array => {
    const bytes = encoder.encode(half)
    half = ''
    return bytes
  }
  const encode = (chunk: Uint8Array | string): Uint8Array => {
    if (typeof chunk !== 'string') return half === '' ? chunk : Buffer.concat([flush(), chunk])
    const text = half + chunk
    half = /[\ud800-\udbff]$/.exec(text)?.[0] ?? ''
    return encoder.encode(half === '' ? text : text.slice(0, -1))
  }
  return { encode, flush }
}

function withoutReturn(text: string): string {
  return text.endsWith('\r') ? text.slice(0, -1) : text
}
