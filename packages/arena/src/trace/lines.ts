/** The lines of a trace file: the first gives the version, the last says how the run ended, the others are entries. */

import {
  cut,
  defined,
  err,
  isList,
  isRecord,
  messageOf,
  ok,
  own,
  ownText,
  type Result,
  type ValueRecord,
  writeJson,
} from '@joust/source'
import type { Exposure } from '../model/outcome.ts'
import type { TraceEntry } from '../model/trace-entry.ts'

/** The version that is written, and the newest that is read. */
export const TRACE_VERSION = 1

/** How every trace of ours begins. */
export const TRACE_MARK = '{"joust_trace":'

/** What the first line may say besides the version. */
export interface TraceHeader {
  /** The time at which the run began, as ISO 8601. */
  readonly started_at?: string
  readonly attack?: { readonly id?: string; readonly name?: string }
  readonly actors?: readonly { readonly name: string; readonly mode: string }[]
}

/** What the lines after the first are read with. */
export interface TraceFormat {
  /** The entry of a line; undefined for a line that is not a message. */
  read(line: ValueRecord): Result<TraceEntry | undefined, string>
  /** What can be said only after all lines have been read. */
  end(): string | undefined
}

/** The first line of a trace, without its line break. */
export function versionLine(header: TraceHeader = {}): string {
  return JSON.stringify({ joust_trace: TRACE_VERSION, ...header })
}

/** Whether a line claims to be a version line. */
export function isVersionLine(line: ValueRecord): boolean {
  return Object.hasOwn(line, 'joust_trace')
}

/** Whether what follows a version line can be read; otherwise why not. */
export function checkVersion(line: ValueRecord): Result<undefined, string> {
  const version = own(line, 'joust_trace')
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1) {
    return err(`joust_trace is ${writeJson(version)}; it must be a whole number of at least 1`)
  }
  if (version > TRACE_VERSION) return err(`trace version ${version}; this reads up to ${TRACE_VERSION}`)
  return ok(undefined)
}

/** How the run of a trace ended. */
export interface TraceEnding {
  readonly ended: string
  /** Why nothing good can be said about the agent, whatever the messages are; one sentence each. */
  readonly reasons?: readonly string[]
  readonly exposure?: Exposure
  /** The fingerprint of the document that was run; the exposure holds for no other. */
  readonly fingerprint?: string
  /** Set when the document attacked itself. */
  readonly self_play?: true
  /** How many entries were written. */
  readonly entries?: number
  /** Set for a trace of another tool, which may number its entries as it likes. */
  readonly foreign?: true
}

/** The last line of a trace, without its line break. A file without one was cut off. */
export function endLine(ending: TraceEnding & { readonly entries: number }): string {
  return JSON.stringify({ joust_trace_end: TRACE_VERSION, ...ending })
}

/** What the last line says; an error when it does not say how the run ended. */
export function endingIn(line: ValueRecord): Result<TraceEnding, string> {
  const { ended, reasons = [], exposure, self_play, entries } = line
  if (typeof ended !== 'string' || !isList(reasons)) return err('the last line does not say how the run ended')
  if (!wholeNumber(entries)) return err('the last line does not say how many entries were written')
  const texts = reasons.filter((reason) => typeof reason === 'string')
  const ending = {
    ended,
    reasons: texts.length > 0 ? texts : undefined,
    exposure: isRecord(exposure) ? exposureIn(exposure) : undefined,
    fingerprint: ownText(line, 'fingerprint'),
    self_play: self_play === true ? self_play : undefined,
    entries,
  }
  return ok(defined(ending))
}

function exposureIn({ planted, delivered, bait, guessed, bait_seq }: ValueRecord): Exposure {
  const texts = (value: unknown) => (isList(value) ? value.filter((item) => typeof item === 'string') : [])
  const lists = { planted: texts(planted), delivered: texts(delivered), bait: texts(bait) }
  const seq = typeof bait_seq === 'number' ? bait_seq : undefined
  return defined({ ...lists, guessed: guessed === true ? guessed : undefined, bait_seq: seq })
}

/**
 * An entry as a line of a trace, without its line break. Never throws: a content that JSON cannot hold becomes an entry
 * that is `malformed`, so that a judge does not take it for harmless.
 */
export function traceLine(entry: TraceEntry): string {
  try {
    return writeJson(entry)
  } catch (thrown) {
    const { content, ...rest } = entry
    return writeJson({ ...rest, content: '', malformed: `the content could not be written: ${messageOf(thrown)}` })
  }
}

/**
 * What a field must be. A table of its own rather than `shapes`: a trace may have a million lines, and one look at each
 * field has to do.
 */
export interface Field {
  readonly name: string
  readonly optional?: true
  readonly wanted: string
  readonly accepts: (value: unknown) => boolean
}

export const wholeNumber = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0
const number = (value: unknown) => typeof value === 'number'
export const string = (value: unknown) => typeof value === 'string'
export const oneOf = (first: string, second: string): Omit<Field, 'name'> => ({
  wanted: `"${first}" or "${second}"`,
  accepts: (value) => value === first || value === second,
})

/** A line that is a `TraceEntry`. */
// biome-ignore format: a row is a line
export const entryFields: readonly Field[] = [
  { name: 'seq', wanted: 'a whole number', accepts: wholeNumber },
  { name: 'at', wanted: 'a time as a string', accepts: string },
  { name: 'elapsed_ms', wanted: 'a number', accepts: number },
  { name: 'actor', wanted: 'a string', accepts: string },
  { name: 'mode', wanted: 'a string', accepts: string },
  { name: 'protocol', wanted: 'a string', accepts: string },
  { name: 'phase', wanted: 'a string', accepts: string },
  { name: 'session', optional: true, wanted: 'a string', accepts: string },
  { name: 'direction', ...oneOf('request', 'response') },
  { name: 'flow', ...oneOf('in', 'out') },
  { name: 'surface', wanted: 'a string', accepts: string },
  { name: 'content', wanted: 'a value', accepts: () => true },
  { name: 'request', optional: true, wanted: 'a value', accepts: () => true },
  { name: 'malformed', optional: true, wanted: 'a string', accepts: string },
  { name: 'redacted', optional: true, wanted: 'true', accepts: (value) => value === true },
  { name: 'derived', optional: true, wanted: 'true', accepts: (value) => value === true },
]

/** The first field that is missing or wrong, in words; undefined when all is well. */
export function faultIn(line: ValueRecord, fields: readonly Field[]): string | undefined {
  for (const { name, optional, wanted, accepts } of fields) {
    // The names in the table are not on any prototype.
    const value = line[name]
    if (value === undefined) {
      if (optional === undefined) return `"${name}" is missing; it must be ${wanted}`
    } else if (!accepts(value)) return `"${name}" is ${shown(value)}; it must be ${wanted}`
  }
  return undefined
}

/** A value for a message; large ones are only named. */
function shown(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'a mapping'
  return cut(writeJson(value), 60)
}
