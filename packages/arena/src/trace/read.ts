/** Lines to trace entries: our own format, and ThoughtJack's. */
import type { Line } from '@joust/io'
import type { NormalDocument } from '@joust/oatf'
import {
  type Diagnostic,
  err,
  isRecord,
  ok,
  type Position,
  type Result,
  readJson,
  type ValueRecord,
  withLimits,
} from '@joust/source'
import { diagnostic } from '../model/diagnostics.ts'
import { arenaLimits } from '../model/limits.ts'
import type { TraceEntry } from '../model/trace-entry.ts'
import {
  checkVersion,
  endingIn,
  entryFields,
  faultIn,
  isVersionLine,
  TRACE_VERSION,
  type TraceEnding,
  type TraceFormat,
} from './lines.ts'
import { createThoughtJackReader, isThoughtJackLine } from './thoughtjack.ts'

/** Options for reading a trace. */
export interface ReadTraceOptions {
  /** The document that was run: traces of ThoughtJack do not say which protocol an actor speaks. */
  readonly document?: NormalDocument
  /** The longest line, in bytes. */
  readonly lineBytes?: number
  /** Called with how the run ended, according to the last line. */
  readonly onEnding?: (ending: TraceEnding) => void
}

/**
 * One line that was read. A broken line is a value among the others: nobody gets an entry without checking `ok`, and
 * what comes after it is still seen.
 */
export type TraceItem = Result<TraceEntry, Diagnostic>

/** Takes lines, returns entries. */
export interface TraceParser {
  /** What a line holds; undefined when it holds no entry. */
  read(line: Line): TraceItem | undefined
  /** What can be said only after all lines have been read. */
  end(): TraceItem | undefined
  /** Whether nothing more can be understood, because the first line could not be. */
  stopped(): boolean
}

/** Reads lines; the first one decides what format they are in. */
export function createTraceParser(options: ReadTraceOptions = {}): TraceParser {
  const { lineBytes = arenaLimits.traceLineBytes } = options
  const limits = withLimits({ yamlBytes: lineBytes })
  let number = 0
  let format: TraceFormat | undefined
  let stopped = false
  const begin = (line: Result<ValueRecord, Fault>): TraceItem | undefined => {
    const first = line.ok ? formatOf(line.value, options) : line
    if (!first.ok) {
      stopped = true
      return broken(first.error, number)
    }
    format = first.value
    return line.ok && isVersionLine(line.value) ? undefined : proceed(line)
  }
  const proceed = (line: Result<ValueRecord, Fault>): TraceItem | undefined => {
    const entry = line.ok ? format?.read(line.value) : line
    if (entry?.ok === false) return broken(entry.error, number)
    return entry?.value === undefined ? undefined : ok(entry.value)
  }
  return {
    read({ text, fault }) {
      number += 1
      if (stopped) return undefined
      const record = fault === undefined ? recordOf(text, limits) : err(fault)
      if (!record.ok && fault === undefined && text.trim() === '') return undefined
      if (format !== undefined) return proceed(record)
      return begin(record.ok || fault !== undefined ? record : err(NO_TRACE))
    },
    end() {
      if (stopped) return undefined
      const fault = format === undefined ? `the trace is empty; ${FIRST_LINE}` : format.end()
      return fault === undefined ? undefined : err(diagnostic('trace-malformed', fault))
    },
    stopped: () => stopped,
  }
}

const FIRST_LINE = `its first line must be {"joust_trace":${TRACE_VERSION}} or an entry of ThoughtJack`
const NO_TRACE = `this is not a trace; ${FIRST_LINE}`

/** Words, with a column where there is one. */
type Fault = string | ({ readonly message: string } & Partial<Position>)

function broken(fault: Fault, number: number): TraceItem {
  const { message, column } = typeof fault === 'string' ? { message: fault, column: undefined } : fault
  return err({
    ...diagnostic('trace-malformed', `line ${number}: ${message}`),
    line: number,
    ...(column === undefined ? {} : { column }),
  })
}

function recordOf(text: string, limits: ReturnType<typeof withLimits>): Result<ValueRecord, Fault> {
  const json = readJson(text, limits)
  if (json.ok) return isRecord(json.value) ? ok(json.value) : err('not a JSON object')
  const [fault] = json.error
  if (fault === undefined) return err('not JSON')
  const { code, message, column } = fault
  if (code === 'limit') return err(`longer than ${limits.yamlBytes} bytes`)
  if (column === undefined) return err(message)
  const line = text.trim()
  const cut = line.startsWith('{') && (column > text.trimEnd().length || !line.endsWith('}'))
  return err({ message: `${message}, in column ${column}${cut ? '; the line was cut off' : ''}`, column })
}

function formatOf(line: ValueRecord, { document, onEnding }: ReadTraceOptions): Result<TraceFormat, string> {
  if (isVersionLine(line)) {
    const version = checkVersion(line)
    return version.ok ? ok(createOwnFormat(onEnding)) : version
  }
  if (isThoughtJackLine(line)) return ok(createThoughtJackReader(document, onEnding))
  return err(NO_TRACE)
}

/** Our own lines: entries, then the last line. */
function createOwnFormat(onEnding: ReadTraceOptions['onEnding']): TraceFormat {
  let last: ValueRecord | undefined
  return {
    read(line) {
      if (isVersionLine(line)) return err('a second version line: these are several traces in one')
      if (last !== undefined) return err('there is more after the last line')
      if (Object.hasOwn(line, 'joust_trace_end')) {
        last = line
        return ok(undefined)
      }
      const fault = faultIn(line, entryFields)
      // Every field was checked.
      return fault === undefined ? ok(line as unknown as TraceEntry) : err(fault)
    },
    end() {
      if (last === undefined) return NO_END
      const ending = endingIn(last)
      if (ending.ok) onEnding?.(ending.value)
      return ending.ok ? undefined : ending.error
    },
  }
}

const NO_END = 'the trace has no last line: it was cut off, or the run is still under way'
