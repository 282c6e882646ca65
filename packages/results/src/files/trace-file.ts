/** Writes and reads traces in files or in memory. */

import { closeSync, createReadStream } from 'node:fs'
import { createLineSplitter, type Line, openToRead, openToWrite, writeAll } from '@joust/io'
import { messageOf, writeJson } from '@joust/source'
import { resultsLimits } from '../model/limits.ts'
import { endLine, TRACE_MARK, type TraceHeader, type TraceWriter, traceLine, versionLine } from '../trace/lines.ts'
import { createTraceParser, type ReadTraceOptions, type TraceItem, type TraceParser } from '../trace/read.ts'

/** An error while opening, writing or reading a trace. */
export class TraceError extends Error {
  override readonly name = 'TraceError'
  readonly code = 'trace_failed'
}

/**
 * Creates a trace file, replacing an earlier trace. Entries are not buffered: each entry has been passed to the
 * operating system when `write` returns, so a killed process loses none.
 */
export function writeTrace(path: string, header: TraceHeader = {}): TraceWriter {
  let fault: TraceError | undefined
  let file: number | undefined
  let entries = 0
  const attempt = (problem: string, work: () => void) => {
    if (fault !== undefined) return
    try {
      work()
    } catch (thrown) {
      fault = traceError(problem, thrown)
    }
  }
  const put = (line: string) => {
    if (file === undefined) throw new Error('the file is closed')
    writeAll(file, `${line}\n`)
  }
  attempt(`cannot open the trace ${path}`, () => {
    file = openToWrite(path, { mark: TRACE_MARK })
  })
  attempt(`cannot write the trace ${path}`, () => put(versionLine(header)))
  return {
    write(entry) {
      attempt(`cannot write entry ${entry.seq} of the trace ${path}`, () => put(traceLine(entry)))
      entries += 1
    },
    writeModel(entry) {
      attempt(`cannot write model call ${entry.model} of the trace ${path}`, () => put(writeJson(entry)))
    },
    fault: () => fault,
    async close(ending) {
      const line = endLine({ ended: 'done', ...ending, entries })
      if (file !== undefined) attempt(`cannot write the last line of the trace ${path}`, () => put(line))
      const open = file
      file = undefined
      if (open !== undefined) {
        try {
          closeSync(open)
        } catch (thrown) {
          fault ??= traceError(`cannot close the trace ${path}`, thrown)
        }
      }
      if (fault !== undefined) throw fault
    },
  }
}

/** A path, `-` for standard input, the trace text, or a byte stream. */
type TraceSource = string | { readonly text: string } | AsyncIterable<Uint8Array>

/** Trace items, one at a time or in batches. */
export interface TraceItems extends AsyncIterable<TraceItem> {
  /**
   * Iterates in batches, one per chunk of the source, which is several times faster. A batch is parsed during
   * iteration, so finish each batch before the next.
   */
  batches(): AsyncIterable<Iterable<TraceItem>>
}

/**
 * Reads a trace as a stream. Malformed lines become error items; only an unreadable source throws a `TraceError`.
 *
 * @example
 * for await (const item of readTrace('out/traces/time-bomb.1.jsonl')) show(item)
 */
export function readTrace(source: TraceSource, options: ReadTraceOptions = {}): TraceItems {
  const batches = () => readBatches(source, options)
  return {
    batches,
    async *[Symbol.asyncIterator]() {
      for await (const items of batches()) yield* items
    },
  }
}

async function* readBatches(
  source: TraceSource,
  options: ReadTraceOptions,
): AsyncGenerator<Iterable<TraceItem>, undefined, undefined> {
  const splitter = createLineSplitter(options.lineBytes ?? resultsLimits.traceLineBytes)
  const parser = createTraceParser(options)
  for await (const piece of piecesOf(source)) {
    yield readLines(splitter.push(piece), parser)
    if (parser.stopped()) return
  }
  yield readLines(splitter.end(), parser)
  const fault = parser.end()
  if (fault !== undefined) yield [fault]
}

function* readLines(lines: readonly Line[], parser: TraceParser): Generator<TraceItem, undefined, undefined> {
  for (const line of lines) {
    const item = parser.read(line)
    if (item !== undefined) yield item
  }
}

/** V8 allocates longer strings, and thus all lines in them, outside the young generation. */
const CHUNK_BYTES = 64 * 1024

async function* piecesOf(source: TraceSource): AsyncGenerator<Uint8Array> {
  const name = source === '-' ? 'standard input' : typeof source === 'string' ? source : 'the trace'
  try {
    if (typeof source !== 'string') yield* 'text' in source ? [new TextEncoder().encode(source.text)] : source
    else if (source === '-') yield* process.stdin as AsyncIterable<Uint8Array>
    else
      yield* createReadStream('', { fd: openToRead(source), highWaterMark: CHUNK_BYTES }) as AsyncIterable<Uint8Array>
  } catch (thrown) {
    throw traceError(`cannot read ${name}`, thrown)
  }
}

export interface MemoryTrace extends TraceWriter {
  /** Returns the content of the trace file so far. */
  text(): string
}

/** Creates a trace in memory. A trace longer than `most` characters is a write error. */
export function memoryTrace(most: number, header: TraceHeader = {}): MemoryTrace {
  const lines = [versionLine(header)]
  let length = 0
  let entries = 0
  let fault: TraceError | undefined
  let closed = false
  const put = (line: string) => {
    if (fault !== undefined || closed) return
    length += line.length + 1
    if (length <= most) lines.push(line)
    else fault = traceError('cannot store the trace', `it exceeds ${most} characters`)
  }
  return {
    write(entry) {
      entries += 1
      put(traceLine(entry))
    },
    writeModel: (entry) => put(writeJson(entry)),
    fault: () => fault,
    async close(ending) {
      put(endLine({ ended: 'done', ...ending, entries }))
      closed = true
      if (fault !== undefined) throw fault
    },
    text: () => `${lines.join('\n')}\n`,
  }
}

function traceError(problem: string, reason: unknown): TraceError {
  return new TraceError(`${problem}: ${messageOf(reason)}`, { cause: reason })
}
