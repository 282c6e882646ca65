/** Splits bytes into lines of bounded length. */

import type { PipeLine } from '../model/pipe.ts'
import { createBoundedBytes } from './bounded-bytes.ts'
import { strictText } from './strict-text.ts'

const LINE_FEED = 10

/** Takes chunks, gives lines. */
export interface LineSplitter {
  /** The lines that a chunk brings to their end. */
  push(chunk: Uint8Array): readonly PipeLine[]
  /** The last line, when it has no line break. */
  end(): readonly PipeLine[]
}

/**
 * Splits at line feeds; a carriage return before one belongs to the break. A line over the limit is given out as soon as
 * it is, cut and with `fault`; the rest of it is skipped.
 */
export function createLineSplitter(maxLineBytes: number): LineSplitter {
  const line = createBoundedBytes(maxLineBytes)
  let skipping = false
  const take = (): PipeLine => {
    const { text, ...fault } = strictText(line.bytes(), skipping)
    line.truncate(0)
    return { text: text.endsWith('\r') ? text.slice(0, -1) : text, ...fault }
  }
  /** Adds a part of a line, with the fault of the line when this is one too many. */
  const add = (part: Uint8Array): readonly PipeLine[] => {
    if (skipping || line.add(part)) return []
    skipping = true
    return [{ ...take(), fault: `line is longer than ${maxLineBytes} bytes` }]
  }
  return {
    push(chunk) {
      const lines: PipeLine[] = []
      let start = 0
      for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, start)) {
        lines.push(...add(chunk.subarray(start, at)))
        if (!skipping) lines.push(take())
        skipping = false
        start = at + 1
      }
      lines.push(...add(chunk.subarray(start)))
      return lines
    },
    end: () => (skipping || line.size() === 0 ? [] : [take()]),
  }
}
