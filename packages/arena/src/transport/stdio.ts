/** A pipe over the standard streams of this process; the peer is the parent process. */
import type { Readable, Writable } from 'node:stream'
import type { Pipe } from '../model/wiring.ts'
import { lineChannel } from './channel.ts'
import { pumpLines, writeChunk } from './streams.ts'

interface StdioOptions {
  readonly maxLineBytes: number
  /** @default process.stdin */
  readonly input?: Readable
  /** @default process.stdout */
  readonly output?: Writable
}

/** Creates a pipe. Closing it stops reading but leaves the output open, since the output belongs to the process. */
export function stdioPipe({ maxLineBytes, input = process.stdin, output = process.stdout }: StdioOptions): Pipe {
  let ending: string | undefined
  const lines = lineChannel(() => leave('closed'))
  const leave = (reason: string) => {
    ending ??= reason
    lines.cancel()
    input.destroy()
  }
  // Not removed: a broken output must not crash the process.
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
