/** Splits the bytes of an event stream into blocks of bounded size, at empty lines. */
import { createBoundedBytes, strictText } from '@joust/io'

/** The lines of one event, without comments; line breaks are line feeds. */
export interface EventBlock {
  /** Cut where it goes over the limit. */
  readonly text: string
  /** Set when it went over the limit, the stream ended in it, or it is not UTF-8. */
  readonly fault?: string
}

/** The fault of a block that the end of the stream cut off. */
export const ENDED_WITHIN = 'the stream ended within an event'

const LINE_FEED = 10
const CARRIAGE_RETURN = 13
const COLON = 58
const lineFeed = Uint8Array.of(LINE_FEED)

/** Line breaks may be CR, LF or CRLF. A block over the limit is given out at once, and its rest is skipped. */
export function createBlockSplitter(maxBytes: number) {
  const blocks = createBlocks(maxBytes)
  /** The first byte of the line being read; undefined while it has none. */
  let opening: number | undefined
  let afterReturn = false
  return {
    push(chunk: Uint8Array): readonly EventBlock[] {
      let start = 0
      for (let at = 0; at < chunk.length; at++) {
        const byte = chunk[at]
        if (byte !== LINE_FEED && byte !== CARRIAGE_RETURN) {
          opening ??= byte
          afterReturn = false
          continue
        }
        if (byte === CARRIAGE_RETURN || !afterReturn) {
          blocks.add(chunk.subarray(start, at))
          blocks.endLine(opening)
          opening = undefined
        }
        afterReturn = byte === CARRIAGE_RETURN
        start = at + 1
      }
      blocks.add(chunk.subarray(start))
      return blocks.take()
    },
    /** What has arrived of a block without an end. */
    end(): readonly EventBlock[] {
      blocks.end(opening)
      return blocks.take()
    },
  }
}

/** Joins lines into blocks. */
function createBlocks(maxBytes: number) {
  const block = createBoundedBytes(maxBytes)
  let blocks: EventBlock[] = []
  let lineStart = 0
  let skipping = false
  let first = true

  const give = (incomplete?: string) => {
    const { text, fault = incomplete } = strictText(block.bytes(), incomplete !== undefined)
    block.truncate(0)
    // A byte order mark may open the stream; it is not part of the first field.
    const fields = first && text.startsWith('\uFEFF') ? text.slice(1) : text
    blocks.push({ text: fields, ...(fault === undefined ? {} : { fault }) })
    first = false
  }
  const add = (part: Uint8Array) => {
    if (skipping || block.add(part)) return
    skipping = true
    give(`event is larger than ${maxBytes} bytes`)
  }
  return {
    add,
    /** Ends the line that began with a byte; an empty line ends its block. */
    endLine(opening: number | undefined) {
      if (opening === COLON) block.truncate(lineStart)
      else if (opening !== undefined) add(lineFeed)
      else {
        if (!skipping && block.size() > 0) give()
        skipping = false
      }
      lineStart = block.size()
    },
    /** Ends the stream, within a line that began with a byte. */
    end(opening: number | undefined) {
      if (opening === COLON) block.truncate(lineStart)
      if (!skipping && block.size() > 0) give(ENDED_WITHIN)
    },
    take(): readonly EventBlock[] {
      const all = blocks
      blocks = []
      return all
    },
  }
}
