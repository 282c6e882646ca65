/** Captures the output of a command as text, for the studio. */
import type { Io } from '../terminal/io.ts'
import { commandLimits } from '../terminal/limits.ts'

/** Streams without a terminal, and their captured output. */
export interface Capture {
  readonly io: Io
  text(): string
}

/** Captures the output of work that ends with a signal and cannot ask questions. */
export function captureIo({ ask: _, ...io }: Io, signal: AbortSignal): Capture {
  let text = ''
  const write = (more: string) => {
    text = (text + more).slice(-commandLimits.studioCharacters)
  }
  const stream = { isTTY: false, write, writeData: write }
  return {
    io: { ...io, stdout: stream, stderr: stream, stoppable: (work) => work(signal) },
    text: () => text.trim(),
  }
}
