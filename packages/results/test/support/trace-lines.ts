import { readTrace } from '../../src/files/trace-file.ts'
import type { ReadTraceOptions, TraceItem } from '../../src/trace/read.ts'

/** Reads lines as a trace. */
export function readTraceLines(lines: Iterable<string>, options?: ReadTraceOptions): AsyncIterable<TraceItem> {
  return readTrace({ text: [...lines].map((line) => `${line}\n`).join('') }, options)
}
