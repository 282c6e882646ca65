/** Splits an event stream at empty lines into blocks of bounded size. */
import { createBoundedBytes, strictText } from '@joust/io'

/** The lines of one event without comments, joined by line feeds. */
export interface EventBlock {
  /** Truncated at the limit. */
  readonly text: string
  /** The reason if the block is invalid: too large, incomplete, or not UTF-8. */
  readonly fault?: string
}

export const ENDED_WITHIN = 'the stream ended within an event'

const LINE_FEED = 10
const CARRIAGE_RETURN = 13
const COLON = 58
const lineFeed = Uint8Array.of(LINE_FEED)

/** Line breaks may be CR, LF or CRLF. A block over the limit is truncated. */
export function createBlockSplitter(maxBytes: number) {
  const blocks = createBlocks(maxBytes)
  /** The first byte of the current line; undefined for an empty line. */
  let firstByte: number | undefined
  let afterReturn = false
  return {
    push(chunk: Uint8Array): readonly EventBlock[] {
      let start = 0
      for (let at = 0; at < chunk.length; at++) {
        const byte = chunk[at]
        if (byte !== LINE_FEED && byte !== CARRIAGE_RETURN) {
          firstByte ??= byte
          afterReturn = false
          continue
        }
        if (byte === CARRIAGE_RETURN || !afterReturn) {
          blocks.add(chunk.subarray(start, at))
          blocks.endLine(firstByte)
          firstByte = undefined
        }
        afterReturn = byte === CARRIAGE_RETURN
        start = at + 1
      }
      blocks.add(chunk.subarray(start))
      return blocks.take()
    },
    end(): readonly EventBlock[] {
      blocks.end(firstByte)
      return blocks.take()
    },
  }
}

function createBlocks(maxBytes: number) {
  const block = createBoundedBytes(maxBytes)
  let blocks: EventBlock[] = []
  let lineStart = 0
  let skipping = false
  let first = true

  const emit = (incomplete?: string) => {
    const { text, fault = incomplete } = strictText(block.bytes(), incomplete !== undefined)
    block.truncate(0)
    // A byte order mark at the start of the stream is not part of the first field.
    const fields = first && text.startsWith('\uFEFF') ? text.slice(1) : text
    blocks.push({ text: fields, ...(fault === undefined ? {} : { fault }) })
    first = false
  }
  const add = (part: Uint8Array) => {
    if (skipping || block.add(part)) return
    skipping = true
    emit(`event is larger than ${maxBytes} bytes`)
  }
  return {
    add,
    /** Ends a line that begins with the given byte; an empty line ends the block. */
    endLine(firstByte: number | undefined) {
      if (firstByte === COLON) block.truncate(lineStart)
      else if (firstByte !== undefined) add(lineFeed)
      else {
        if (!skipping && block.size() > 0) emit()
        skipping = false
      }
      lineStart = block.size()
    },
    /** Ends the stream within a line that begins with the given byte. */
    end(firstByte: number | undefined) {
      if (firstByte === COLON) block.truncate(lineStart)
      if (!skipping && block.size() > 0) emit(ENDED_WITHIN)
    },
    take(): readonly EventBlock[] {
      const all = blocks
      blocks = []
      return all
    },
  }
}
