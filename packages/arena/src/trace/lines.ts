/** Text in pieces to lines, with a bound on the length of a line. */
import { err, ok, type Result } from '@joust/source'

/** A line, or why it could not be had. */
export type Line = Result<string, string>

/** Takes pieces, gives lines. */
export interface LineSplitter {
  /** The lines that end in this piece. */
  push(piece: Uint8Array | string): Iterable<Line>
  /** The last line, when no line break ended it. */
  end(): Line | undefined
}

const BREAK = 10

/**
 * Splits at line feeds, before anything is decoded: a line that is not UTF-8 spoils no other. A line over the limit is
 * let go of while it is read, so that it costs no memory.
 */
export function createLineSplitter(maxBytes: number): LineSplitter {
  const decoder = newDecoder()
  let held: (Uint8Array | string)[] = []
  let size = 0
  const hold = (part: Uint8Array | string) => {
    size += part.length
    if (size > maxBytes) held = []
    else held.push(part)
  }
  const take = (): Line => {
    const line = size > maxBytes ? err(`longer than ${maxBytes} bytes`) : textOf(held, decoder)
    held = []
    size = 0
    return line
  }
  return {
    *push(piece) {
      let start = 0
      for (let end = breakIn(piece, start); end >= 0; end = breakIn(piece, start)) {
        hold(partOf(piece, start, end))
        yield take()
        start = end + 1
      }
      if (start < piece.length) hold(partOf(piece, start, piece.length))
    },
    end: () => (size === 0 ? undefined : take()),
  }
}

function breakIn(piece: Uint8Array | string, from: number): number {
  return typeof piece === 'string' ? piece.indexOf('\n', from) : piece.indexOf(BREAK, from)
}

function partOf(piece: Uint8Array | string, start: number, end: number): Uint8Array | string {
  return typeof piece === 'string' ? piece.slice(start, end) : piece.subarray(start, end)
}

/** Strict, since a replaced character could hide what an indicator looks for. */
const newDecoder = () => new TextDecoder('utf-8', { fatal: true })

/** `decoder` serves lines in one piece, which keep no state in it. */
function textOf(parts: readonly (Uint8Array | string)[], decoder: ReturnType<typeof newDecoder>): Line {
  try {
    const [only] = parts
    if (parts.length === 1 && typeof only === 'object') return ok(decoder.decode(only))
    const joining = newDecoder()
    let text = ''
    for (const part of parts) {
      text += typeof part === 'string' ? joining.decode() + part : joining.decode(part, { stream: true })
    }
    return ok(text + joining.decode())
  } catch {
    return err('not UTF-8')
  }
}
