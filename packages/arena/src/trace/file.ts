/** Writes and reads traces: files, and texts in memory for those who keep them elsewhere. */
import { closeSync, createReadStream } from 'node:fs'
import { createLineSplitter, type Line, openToRead, openToWrite, writeAll } from '@joust/io'
import { type ArenaError, toArenaError } from '../model/errors.ts'
import { arenaLimits } from '../model/limits.ts'
import type { Redacted } from '../model/redacted.ts'
import type { TraceEntry } from '../model/trace-entry.ts'
import { endLine, TRACE_MARK, type TraceEnding, type TraceHeader, traceLine, versionLine } from './lines.ts'
import { createTraceParser, type ReadTraceOptions, type TraceItem, type TraceParser } from './read.ts'

/** A trace file while it grows. */
export interface TraceWriter {
  /** Writes an entry. Never throws: look at `fault`, or wait for `close`. */
  write(entry: Redacted<TraceEntry>): void
  /** What went wrong; undefined as long as everything is written. */
  fault(): ArenaError | undefined
  /** Writes the last line and closes the file; rejects when something could not be written. Can be called again. */
  close(ending?: Redacted<TraceEnding>): Promise<void>
}

/**
 * Begins a trace file, replacing a trace that was there. The operating system has an entry when `write` returns:
 * nothing waits in memory, and a process that is killed loses none.
 */
export function writeTrace(path: string, header: TraceHeader = {}): TraceWriter {
  let fault: ArenaError | undefined
  let file: number | undefined
  let entries = 0
  const attempt = (what: string, work: () => void) => {
    if (fault !== undefined) return
    try {
      work()
    } catch (thrown) {
      fault = toArenaError('trace_failed', what, thrown)
    }
  }
  const put = (line: string) => {
    if (file === undefined) throw new Error('the file is closed')
    writeAll(file, `${line}\n`)
  }
  attempt(`the trace ${path} could not be opened`, () => {
    file = openToWrite(path, { mark: TRACE_MARK })
  })
  attempt(`the trace ${path} could not be written`, () => put(versionLine(header)))
  return {
    write(entry) {
      attempt(`the trace ${path} could not be written from entry ${entry.seq} on`, () => put(traceLine(entry)))
      entries += 1
    },
    fault: () => fault,
    async close(ending) {
      const line = endLine({ ended: 'done', ...ending, entries })
      if (file !== undefined) attempt(`the end of the trace ${path} could not be written`, () => put(line))
      const open = file
      file = undefined
      if (open !== undefined) {
        try {
          closeSync(open)
        } catch (thrown) {
          fault ??= toArenaError('trace_failed', `the trace ${path} could not be closed`, thrown)
        }
      }
      if (fault !== undefined) throw fault
    },
  }
}

/** Where a trace is: a path, `-` for standard input, a text, or bytes as they come. */
type TraceSource = string | { readonly text: string } | AsyncIterable<Uint8Array>

/**
 * Reads a trace, holding one piece at a time. Broken lines are values among the entries; only a source that fails
 * rejects, with an `ArenaError`.
 */
export function readTrace(source: TraceSource, options: ReadTraceOptions = {}): AsyncIterable<TraceItem> {
  return { [Symbol.asyncIterator]: () => readItems(linesOf(source, options), createTraceParser(options)) }
}

async function* linesOf(
  source: TraceSource,
  { lineBytes = arenaLimits.traceLineBytes }: ReadTraceOptions,
): AsyncGenerator<readonly Line[], undefined, undefined> {
  const splitter = createLineSplitter(lineBytes)
  for await (const piece of piecesOf(source)) yield splitter.push(piece)
  yield splitter.end()
}

/** Reads lines on demand. An async generator would take several times as long per line. */
function readItems(
  pieces: AsyncGenerator<readonly Line[], undefined, undefined>,
  parser: TraceParser,
): AsyncIterator<TraceItem, undefined> {
  let lines: Iterator<Line> = [].values()
  let ended = false
  const nextHere = (): TraceItem | undefined => {
    for (let line = lines.next(); line.done !== true; line = lines.next()) {
      const item = parser.read(line.value)
      if (item !== undefined) return item
    }
    return undefined
  }
  const stop = async (): Promise<IteratorReturnResult<undefined>> => {
    ended = true
    lines = [].values()
    await pieces.return(undefined)
    return { done: true, value: undefined }
  }
  const nextPiece = async (): Promise<IteratorResult<TraceItem, undefined>> => {
    while (!ended && !parser.stopped()) {
      const piece = await pieces.next()
      ended = piece.done === true
      lines = (piece.value ?? []).values()
      const item = ended ? parser.end() : nextHere()
      if (item !== undefined) return { done: false, value: item }
    }
    return stop()
  }
  return {
    next() {
      const item = nextHere()
      return item === undefined ? nextPiece() : Promise.resolve({ done: false, value: item })
    },
    return: stop,
  }
}

async function* piecesOf(source: TraceSource): AsyncGenerator<Uint8Array> {
  const name = source === '-' ? 'standard input' : typeof source === 'string' ? source : 'the trace'
  try {
    if (typeof source !== 'string') yield* 'text' in source ? [new TextEncoder().encode(source.text)] : source
    else if (source === '-') yield* process.stdin as AsyncIterable<Uint8Array>
    else yield* createReadStream('', { fd: openToRead(source), highWaterMark: 256 * 1024 }) as AsyncIterable<Uint8Array>
  } catch (thrown) {
    throw toArenaError('trace_failed', `${name} could not be read`, thrown)
  }
}

/** A trace that grows in memory. */
export interface MemoryTrace extends TraceWriter {
  /** Everything written so far, as a file would hold it. */
  text(): string
}

/** Begins a trace; exceeding `most` characters is a fault, like a full disk. */
export function memoryTrace(most: number): MemoryTrace {
  const lines = [versionLine()]
  let length = 0
  let fault: ArenaError | undefined
  let closed = false
  const put = (line: string) => {
    if (fault !== undefined || closed) return
    length += line.length + 1
    if (length <= most) lines.push(line)
    else fault = toArenaError('trace_failed', 'the trace could not be kept', `it has more than ${most} characters`)
  }
  return {
    write: (entry) => put(traceLine(entry)),
    fault: () => fault,
    async close(ending) {
      put(endLine({ ended: 'done', ...ending, entries: lines.length - 1 }))
      closed = true
      if (fault !== undefined) throw fault
    },
    text: () => `${lines.join('\n')}\n`,
  }
}
