/** Text in pieces to lines, with a bound on the length of a line. */
import { err, ok, type Result } from '@joust/source'

/** A line, or why it could not be had. */
export type Line = Result<string, string>

/** Takes pieces, gives lines. */
export interface LineSplitter {
  /** The lines that end in this piece. */
  push(piece: Uint8Array | string): readonly Line[]
  /** The last line, when no line break ended it. */
  end(): Line | undefined
}

const BREAK = 10

/**
 * Splits at line feeds; a line that is not UTF-8 spoils no other. A line over the limit is let go of while it is read, so
 * that it costs no memory.
 */
export function createLineSplitter(maxBytes: number): LineSplitter {
  let held: (Uint8Array | string)[] = []
  let size = 0
  const hold = (part: Uint8Array | string) => {
    size += part.length
    if (size > maxBytes) held = []
    else held.push(part)
  }
  const take = (): Line => {
    const line = size > maxBytes ? err(`longer than ${maxBytes} bytes`) : textOf(held)
    held = []
    size = 0
    return line
  }
  const oneByOne = (piece: Uint8Array | string): Line[] => {
    const lines: Line[] = []
    let start = 0
    for (let end = breakIn(piece, start); end >= 0; end = breakIn(piece, start)) {
      hold(partOf(piece, start, end))
      lines.push(take())
      start = end + 1
    }
    if (start < piece.length) hold(partOf(piece, start, piece.length))
    return lines
  }
  return {
    push(piece) {
      const first = breakIn(piece, 0)
      const last = lastBreakIn(piece)
      if (first === last || piece.length > maxBytes) return oneByOne(piece)
      const start = size === 0 ? 0 : first + 1
      const together = textOf([partOf(piece, start, last)])
      if (!together.ok) return oneByOne(piece)
      const before = oneByOne(partOf(piece, 0, start))
      if (last + 1 < piece.length) hold(partOf(piece, last + 1, piece.length))
      return before.concat(together.value.split('\n').map(ok))
    },
    end: () => (size === 0 ? undefined : take()),
  }
}

function breakIn(piece: Uint8Array | string, from: number): number {
  return typeof piece === 'string' ? piece.indexOf('\n', from) : piece.indexOf(BREAK, from)
}

function lastBreakIn(piece: Uint8Array | string): number {
  return typeof piece === 'string' ? piece.lastIndexOf('\n') : piece.lastIndexOf(BREAK)
}

function partOf(piece: Uint8Array | string, start: number, end: number): Uint8Array | string {
  return typeof piece === 'string' ? piece.slice(start, end) : piece.subarray(start, end)
}

/** Strict, since a replaced character could hide what an indicator looks for. */
function textOf(parts: readonly (Uint8Array | string)[]): Line {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  try {
    const [only] = parts
    // Without `stream` the decoder is ten times as fast.
    if (parts.length === 1 && typeof only === 'object') return ok(decoder.decode(only))
    let text = ''
    for (const part of parts) {
      text += typeof part === 'string' ? decoder.decode() + part : decoder.decode(part, { stream: true })
    }
    return ok(text + decoder.decode())
  } catch {
    return err('not UTF-8')
  }
}
