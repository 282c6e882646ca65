/** A pipe over streams of our own: whoever started this process is the peer. */
import type { Readable, Writable } from 'node:stream'
import type { Pipe } from '../model/wiring.ts'
import { lineChannel } from './channel.ts'
import { pumpLines, writeChunk } from './streams.ts'

interface StdioOptions {
  readonly maxLineBytes: number
  /** Default: standard input. */
  readonly input?: Readable
  /** Default: standard output. */
  readonly output?: Writable
}

/** Opens a pipe at once. Closing it stops reading and leaves the output open: that belongs to the process. */
export function stdioPipe({ maxLineBytes, input = process.stdin, output = process.stdout }: StdioOptions): Pipe {
  let ending: string | undefined
  const lines = lineChannel(() => leave('closed'))
  const leave = (why: string) => {
    ending ??= why
    lines.cancel()
    input.destroy()
  }
  // Stays: an output that breaks later must not bring the process down.
  output.on('error', () => leave('the output was closed'))
  output.once('close', () => leave('the output was closed'))
  void pumpLines(input, lines, maxLineBytes).then(() => {
    ending ??= 'the input ended'
    lines.end()
  })
  return {
    lines: lines.items,
    async send(line) {
      if (ending === undefined) await writeChunk(output, `${line}\n`)
    },
    ending: () => ending,
    close: async () => leave('closed'),
  }
}
