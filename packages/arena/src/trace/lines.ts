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
  ownList,
  ownText,
  type Result,
  type Value,
  type ValueRecord,
  writeJson,
} from '@joust/source'
import { actorStatuses } from '../model/actor-outcome.ts'
import { isKnownCode } from '../model/diagnostics.ts'
import type { ActorFacts, RunFacts } from '../model/run-facts.ts'
import type { Refusal } from '../model/target.ts'
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

/** The end of a trace: the facts about its run that messages do not show. */
export interface TraceEnding extends RunFacts {
  /** How many entries were written. */
  readonly entries?: number
  /** Set for a trace of another tool, which may number its entries as it likes. */
  readonly foreign?: true
}

/** The last line of a trace, without its line break. A file without one was cut off. */
export function endLine(ending: TraceEnding & { readonly entries: number }): string {
  return JSON.stringify({ joust_trace_end: TRACE_VERSION, ...ending })
}

/** The facts in the last line; an error when it does not say how the run ended. */
export function endingIn(line: ValueRecord): Result<TraceEnding, string> {
  const { ended, actors = [], diagnostics = [], refusals = [], sent, self_play, entries } = line
  const lists = [actors, diagnostics, refusals]
  if (typeof ended !== 'string' || !lists.every(isList)) return err('the last line does not say how the run ended')
  if (!wholeNumber(entries)) return err('the last line does not say how many entries were written')
  const ending = {
    ended,
    actors: filled(ownList(line, 'actors').map(actorIn)),
    diagnostics: filled([...ownList(line, 'diagnostics').map(diagnosticIn), ...ownList(line, 'reasons').map(reasonIn)]),
    refusals: filled(ownList(line, 'refusals').map(refusalIn)),
    self_play: self_play === true ? self_play : undefined,
    played: ownText(line, 'played'),
    sent: isRecord(sent) ? seqsIn(sent) : undefined,
    entries,
  }
  return ok(defined(ending))
}

function seqsIn(sent: ValueRecord): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(sent).filter((one): one is [string, number] => wholeNumber(one[1])))
}

const filled = <T>(list: readonly T[]): readonly T[] | undefined => (list.length === 0 ? undefined : list)

const textIn = (value: Value, key: string): string => ownText(value, key) ?? ''

/** A status that is not one of ours counts as a failure, never as a proper end. */
function actorIn(actor: Value): ActorFacts {
  const phases = ownList(actor, 'phases').filter((phase) => typeof phase === 'string')
  const unreached = own(actor, 'unreached')
  return {
    name: textIn(actor, 'name'),
    mode: textIn(actor, 'mode'),
    status: actorStatuses.find((status) => status === own(actor, 'status')) ?? 'failed',
    ...(wholeNumber(unreached) ? { unreached } : {}),
    phases,
  }
}

type FactDiagnostic = NonNullable<RunFacts['diagnostics']>[number]

/** A code that is not known here counts against a pass. */
function diagnosticIn(found: Value): FactDiagnostic {
  const code = textIn(found, 'code')
  return defined({
    code: isKnownCode(code) ? code : 'trace-failed',
    message: textIn(found, 'message') || `a diagnostic without a message (${code})`,
    actor: ownText(found, 'actor'),
  })
}

/** Traces of earlier releases hold sentences in place of facts. */
function reasonIn(reason: Value): FactDiagnostic {
  return { code: 'trace-failed', message: typeof reason === 'string' ? reason : 'the run did not end properly' }
}

function refusalIn(refusal: Value): Refusal {
  return {
    actor: textIn(refusal, 'actor'),
    operation: textIn(refusal, 'operation'),
    message: textIn(refusal, 'message'),
  }
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
  { name: 'arguments', optional: true, wanted: 'a string', accepts: string },
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
