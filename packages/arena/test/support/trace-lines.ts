import { readTrace } from '../../src/trace/file.ts'
import type { ReadTraceOptions, TraceItem } from '../../src/trace/read.ts'

/** Reads lines as a trace. */
export function readTraceLines(lines: Iterable<string>, options?: ReadTraceOptions): AsyncIterable<TraceItem> {
  async function* pieces() {
    for (const line of lines) yield `${line}\n`
  }
  return readTrace(pieces(), options)
}
