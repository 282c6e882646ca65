import { createBoundedBytes, type StrictText, strictText } from './bytes.ts'

/** A line without its line break. */
export interface Line extends StrictText {
  /** True if the line was cut at the limit; `fault` is then also set. */
  readonly isCut?: boolean
}

interface LineSplitter {
  /** Returns the lines that a chunk completes. */
  push(bytes: Uint8Array): readonly Line[]
  /** Returns the last line, if it does not end with a line break. */
  end(): readonly Line[]
}

const LINE_FEED = 10

/**
 * Splits at line feeds; a carriage return before a line feed belongs to the line break. Invalid UTF-8 affects only its
 * own line. A line over the limit is cut, returned immediately and has `fault` set; the rest of the line is skipped.
 *
 * @example
 * const splitter = createLineSplitter(1_000_000)
 * for await (const chunk of process.stdin) for (const line of splitter.push(chunk)) console.log(line.text)
 */
export function createLineSplitter(maxLineBytes: number): LineSplitter {
  const pending = createBoundedBytes(maxLineBytes)
  let skipping = false
  const finish = (part: Uint8Array): Line => {
    const isCut = !pending.add(part)
    const line = strictText(pending.bytes(), isCut)
    pending.truncate(0)
    const text = withoutReturn(line.text)
    return isCut ? { text, fault: `longer than ${maxLineBytes} bytes`, isCut } : { ...line, text }
  }
  return {
    push(bytes) {
      const first = bytes.indexOf(LINE_FEED)
      const last = bytes.lastIndexOf(LINE_FEED)
      const lines: Line[] = []
      let start = 0
      if (first !== -1 && (skipping || pending.size() > 0)) {
        if (!skipping) lines.push(finish(bytes.subarray(0, first)))
        skipping = false
        start = first + 1
      }
      if (last >= start)
        for (const line of wholeLines(bytes.subarray(start, last), maxLineBytes, finish)) lines.push(line)
      if (!skipping && !pending.add(bytes.subarray(last + 1))) {
        lines.push(finish(new Uint8Array()))
        skipping = true
      }
      return lines
    },
    end() {
      return skipping || pending.size() === 0 ? [] : [finish(new Uint8Array())]
    },
  }
}

/** Splits bytes into complete lines. Decoding all lines together is much faster, and possible unless one is invalid. */
function wholeLines(bytes: Uint8Array, maxLineBytes: number, finish: (part: Uint8Array) => Line): readonly Line[] {
  if (bytes.length <= maxLineBytes) {
    const { text, fault } = strictText(bytes)
    if (fault === undefined) return text.split('\n').map((line) => ({ text: withoutReturn(line) }))
  }
  const lines: Line[] = []
  let start = 0
  for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, start)) {
    lines.push(finish(bytes.subarray(start, at)))
    start = at + 1
  }
  return [...lines, finish(bytes.subarray(start))]
}

function withoutReturn(text: string): string {
  return text.endsWith('\r') ? text.slice(0, -1) : text
}
