/** Splits the bytes of an event stream into blocks of bounded size, at empty lines. */
import { createBoundedBytes } from './bounded-bytes.ts'

/** The lines of one event, without comments; line breaks are line feeds. */
export interface EventBlock {
  /** Cut where it goes over the limit. */
  readonly text: string
  /** Set when it went over the limit or the stream ended in it. */
  readonly fault?: string
}

/** Takes chunks, gives blocks. */
export interface BlockSplitter {
  push(chunk: Uint8Array): readonly EventBlock[]
  /** What has come of a block that has no end. */
  end(): readonly EventBlock[]
}

const LINE_FEED = 10
const CARRIAGE_RETURN = 13
const COLON = 58
const lineFeed = Uint8Array.of(LINE_FEED)

/** Line breaks may be CR, LF or CRLF. A block over the limit is given out as soon as it is; its rest is skipped. */
export function createBlockSplitter(maxBytes: number): BlockSplitter {
  const block = createBoundedBytes(maxBytes)
  let blocks: EventBlock[] = []
  let lineStart = 0
  /** The first byte of the line being read; undefined while it has none. */
  let opening: number | undefined
  let afterReturn = false
  let skipping = false
  let first = true

  const give = (fault?: string) => {
    const text = block.text()
    block.truncate(0)
    // A byte order mark may open the stream; it is no part of the first field.
    blocks.push({
      text: first && text.startsWith('\uFEFF') ? text.slice(1) : text,
      ...(fault === undefined ? {} : { fault }),
    })
    first = false
  }
  const add = (part: Uint8Array) => {
    if (skipping || block.add(part)) return
    skipping = true
    give(`event is larger than ${maxBytes} bytes`)
  }
  const endLine = () => {
    if (opening === COLON) block.truncate(lineStart)
    else if (opening !== undefined) add(lineFeed)
    else {
      if (!skipping && block.size() > 0) give()
      skipping = false
    }
    opening = undefined
    lineStart = block.size()
  }
  const taken = () => {
    const all = blocks
    blocks = []
    return all
  }
  return {
    push(chunk) {
      let start = 0
      for (let at = 0; at < chunk.length; at++) {
        const byte = chunk[at]
        if (byte !== LINE_FEED && byte !== CARRIAGE_RETURN) {
          opening ??= byte
          afterReturn = false
          continue
        }
        if (byte === CARRIAGE_RETURN || !afterReturn) {
          add(chunk.subarray(start, at))
          endLine()
        }
        afterReturn = byte === CARRIAGE_RETURN
        start = at + 1
      }
      add(chunk.subarray(start))
      return taken()
    },
    end() {
      if (opening === COLON) block.truncate(lineStart)
      if (!skipping && block.size() > 0) give('the stream ended within an event')
      return taken()
    },
  }
}
