import { createLineSplitter } from '@joust/io'
import type { Pipe } from '../model/wiring.ts'
import { lineChannel } from './channel.ts'

/** Creates the two connected ends of an in-memory pipe. */
export function createMemoryPipe(maxLineBytes = Number.POSITIVE_INFINITY): [Pipe, Pipe] {
  const gone = [false, false]
  const channels = [lineChannel(() => leave(0)), lineChannel(() => leave(1))] as const
  /** Closes one end; the other end still receives queued lines. */
  const leave = (side: 0 | 1) => {
    gone[side] = true
    channels[side].cancel()
    channels[side === 0 ? 1 : 0].end()
  }
  const makeEnd = (side: 0 | 1): Pipe => {
    const splitter = createLineSplitter(maxLineBytes)
    const out = channels[side === 0 ? 1 : 0]
    return {
      lines: channels[side].items,
      async send(line) {
        const lines = splitter.push(new TextEncoder().encode(`${line}\n`))
        await Promise.all(lines.map((each) => out.push(each)))
      },
      ending: () => (gone[side] ? 'closed' : gone[1 - side] ? 'the other end was closed' : undefined),
      close: async () => leave(side),
    }
  }
  return [makeEnd(0), makeEnd(1)]
}
