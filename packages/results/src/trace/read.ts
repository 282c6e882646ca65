/** Parses trace lines in Joust's or ThoughtJack's format. */

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
import { resultsLimits } from '../model/limits.ts'
import type { ModelEntry } from '../model/model-entry.ts'
import type { TraceEntry } from '../model/trace-entry.ts'
import {
  canariesOf,
  checkVersion,
  endingIn,
  entryFields,
  faultIn,
  isVersionLine,
  TRACE_VERSION,
  type TraceEnding,
  type TraceFormat,
} from './lines.ts'
import { modelEntryIn } from './model-line.ts'
import { createThoughtJackReader, isThoughtJackLine } from './thoughtjack.ts'

/** Options for reading a trace; see {@link readTrace}. */
export interface ReadTraceOptions {
  /** Document of the run. Required for ThoughtJack traces, which lack the protocols of actors. @default none */
  readonly document?: NormalDocument
  /** Maximum length of a line in bytes. @default 67108864 */
  readonly lineBytes?: number
  /** Called before the first entry with the run's values for `x-joust-canaries`, which may be empty. @default none */
  readonly onCanaries?: (canaries: Readonly<Record<string, string>>) => void
  /** Called with each call to the agent's model. These lines follow the messages. @default none */
  readonly onModel?: (entry: ModelEntry) => void
  /** Called with the facts of the last line. @default none */
  readonly onEnding?: (ending: TraceEnding) => void
}

/** The result of parsing a line. A malformed line is an error value, and later lines are still read. */
export type TraceItem = Result<TraceEntry, Diagnostic>

/** A line of a trace. `fault` is a decoding or length error. */
interface Line {
  readonly text: string
  readonly fault?: string
}

export interface TraceParser {
  /** Parses a line. Returns undefined for a line without an entry. */
  read(line: Line): TraceItem | undefined
  /** Returns the problem with the whole trace, if any. Called after the last line. */
  end(): TraceItem | undefined
  /** True if the first line was invalid. Later lines are then ignored. */
  stopped(): boolean
}

/** Creates a line parser. The first line determines the format. */
export function createTraceParser(options: ReadTraceOptions = {}): TraceParser {
  const { lineBytes = resultsLimits.traceLineBytes } = options
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
      const fault = format === undefined ? `empty trace: ${FIRST_LINE}` : format.end()
      return fault === undefined ? undefined : err(diagnostic('trace-malformed', fault))
    },
    stopped: () => stopped,
  }
}

const FIRST_LINE = `expected {"joust_trace":${TRACE_VERSION}} or a ThoughtJack entry as the first line`
const NO_TRACE = `not a trace: ${FIRST_LINE}`

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
  return err({ message: `${message}, at column ${column}${cut ? '; the line is truncated' : ''}`, column })
}

function formatOf(line: ValueRecord, options: ReadTraceOptions): Result<TraceFormat, string> {
  const { document, onCanaries, onEnding } = options
  if (isVersionLine(line)) {
    const version = checkVersion(line)
    if (!version.ok) return version
    onCanaries?.(canariesOf(line))
    return ok(createOwnFormat(options))
  }
  if (isThoughtJackLine(line)) return ok(createThoughtJackReader(document, onEnding))
  return err(NO_TRACE)
}

/** Creates a parser for Joust's own format: entries, then model calls, then the last line. */
function createOwnFormat({ onModel, onEnding }: ReadTraceOptions): TraceFormat {
  let last: ValueRecord | undefined
  return {
    read(line) {
      if (isVersionLine(line)) return err('unexpected version line: the file contains several traces')
      if (last !== undefined) return err('unexpected line after the end of the trace')
      if (Object.hasOwn(line, 'joust_trace_end')) {
        last = line
        return ok(undefined)
      }
      if (Object.hasOwn(line, 'model')) return readModel(line, onModel)
      const fault = faultIn(line, entryFields)
      // All fields were checked.
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

function readModel(line: ValueRecord, onModel: ReadTraceOptions['onModel']): Result<undefined, string> {
  const entry = modelEntryIn(line)
  if (!entry.ok) return entry
  onModel?.(entry.value)
  return ok(undefined)
}

const NO_END = 'missing last line: the trace is truncated, or the run is still in progress'
