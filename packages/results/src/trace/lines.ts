/**
 * Writes and parses the lines of a trace: a version line, one line per entry, one line per model call, and a last line
 * with facts about the run.
 */

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
import type { ModelEntry } from '../model/model-entry.ts'
import type { Redacted } from '../model/redacted.ts'
import { type ActorFacts, postflights, type Refusal, type RunFacts } from '../model/run-facts.ts'
import type { TraceEntry } from '../model/trace-entry.ts'
import { knownIn } from './known.ts'
import { modelFactsIn } from './model-line.ts'

/** Version of written traces. Newer versions are rejected. */
export const TRACE_VERSION = 1

/** The start of every trace file. */
export const TRACE_MARK = '{"joust_trace":'

/** Optional fields of the version line. */
export interface TraceHeader {
  /** Start time of the run in ISO 8601. */
  readonly started_at?: string
  readonly attack?: { readonly id?: string; readonly name?: string }
  readonly actors?: readonly { readonly name: string; readonly mode: string }[]
  /** Values that the tokens in `x-joust-canaries` have in this run. */
  readonly canaries?: Readonly<Record<string, string>>
}

/** A line parser for one trace format. */
export interface TraceFormat {
  /** Parses a line. Returns undefined for a line without a message. */
  read(line: ValueRecord): Result<TraceEntry | undefined, string>
  /** Returns the problem with the whole trace, if any. Called after the last line. */
  end(): string | undefined
}

/** Writes the first line of a trace, without a line break. */
export function versionLine(header: TraceHeader = {}): string {
  return JSON.stringify({ joust_trace: TRACE_VERSION, ...header })
}

/** Returns the canaries in a version line. Values that are not strings are omitted. */
export function canariesOf(line: ValueRecord): Readonly<Record<string, string>> {
  const canaries = own(line, 'canaries')
  const pairs = isRecord(canaries) ? Object.entries(canaries) : []
  return Object.fromEntries(pairs.filter((pair): pair is [string, string] => typeof pair[1] === 'string'))
}

/** True if the line is a version line of any version. */
export function isVersionLine(line: ValueRecord): boolean {
  return Object.hasOwn(line, 'joust_trace')
}

export function checkVersion(line: ValueRecord): Result<undefined, string> {
  const version = own(line, 'joust_trace')
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1) {
    return err(`expected joust_trace to be a positive integer, got ${writeJson(version)}`)
  }
  if (version > TRACE_VERSION)
    return err(`unsupported trace version ${version}, expected at most ${TRACE_VERSION}; update joust to read it`)
  return ok(undefined)
}

/** The last line of a trace. */
export interface TraceEnding extends RunFacts {
  /** Number of entries, not including model calls. */
  readonly entries?: number
  /** True for a trace from another tool, whose entries may have any numbers. */
  readonly foreign?: true
}

export interface TraceWriter {
  /** Writes an entry. Never throws: errors are returned by `fault` and thrown by `close`. */
  write(entry: Redacted<TraceEntry>): void
  /** Writes a call to the agent's model. Handles errors like `write`. */
  writeModel(entry: Redacted<ModelEntry>): void
  /** Returns the first write error, if any. */
  fault(): Error | undefined
  /** Writes the last line and closes the file. Rejects after a write error. May be called repeatedly. */
  close(ending?: Redacted<TraceEnding>): Promise<void>
}

/** Writes the last line of a trace, without a line break. A file without this line is truncated. */
export function endLine(ending: TraceEnding & { readonly entries: number }): string {
  return JSON.stringify({ joust_trace_end: TRACE_VERSION, ...ending })
}

export function endingIn(line: ValueRecord): Result<TraceEnding, string> {
  const { ended, actors = [], diagnostics = [], refusals = [], sent, self_play, related, entries } = line
  const lists = [actors, diagnostics, refusals]
  if (typeof ended !== 'string' || !lists.every(isList))
    return err('invalid last line: expected "ended" and lists of facts')
  if (!wholeNumber(entries)) return err('invalid last line: expected "entries" to be a whole number')
  const model = own(line, 'model')
  const calls = model === undefined ? undefined : modelFactsIn(model)
  if (calls?.ok === false) return err(`invalid last line: ${calls.error}`)
  const ending = {
    ended,
    actors: filled(ownList(line, 'actors').map(actorIn)),
    diagnostics: filled([...ownList(line, 'diagnostics').map(diagnosticIn), ...ownList(line, 'reasons').map(reasonIn)]),
    refusals: filled(ownList(line, 'refusals').map(refusalIn)),
    self_play: self_play === true ? self_play : undefined,
    played: ownText(line, 'played'),
    sent: isRecord(sent) ? seqsIn(sent) : undefined,
    model: calls?.value,
    postflight: postflights.find((word) => word === own(line, 'postflight')),
    related: typeof related === 'boolean' ? related : undefined,
    known: knownIn(own(line, 'known')),
    foreign: own(line, 'foreign') === true ? (true as const) : undefined,
    entries,
  }
  return ok(defined(ending))
}

function seqsIn(sent: ValueRecord): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(sent).filter((one): one is [string, number] => wholeNumber(one[1])))
}

const filled = <T>(list: readonly T[]): readonly T[] | undefined => (list.length === 0 ? undefined : list)

const textIn = (value: Value, key: string): string => ownText(value, key) ?? ''

/** Parses the facts about an actor. An unknown status is treated as `failed`. */
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

/** Parses a diagnostic. An unknown code is treated as `trace-failed`, which revokes a pass. */
function diagnosticIn(diagnostic: Value): FactDiagnostic {
  const code = textIn(diagnostic, 'code')
  return defined({
    code: isKnownCode(code) ? code : 'trace-failed',
    message: textIn(diagnostic, 'message') || `a diagnostic without a message (${code})`,
    actor: ownText(diagnostic, 'actor'),
  })
}

/** Converts a sentence into a diagnostic, because traces from earlier releases contain sentences. */
function reasonIn(reason: Value): FactDiagnostic {
  return { code: 'trace-failed', message: typeof reason === 'string' ? reason : 'the run did not complete' }
}

function refusalIn(refusal: Value): Refusal {
  return {
    actor: textIn(refusal, 'actor'),
    operation: textIn(refusal, 'operation'),
    message: textIn(refusal, 'message'),
  }
}

/**
 * Writes an entry as a trace line, without a line break. Never throws: content that JSON cannot represent becomes a
 * `malformed` entry, so that it is not judged as harmless.
 */
export function traceLine(entry: TraceEntry): string {
  try {
    return writeJson(entry)
  } catch (thrown) {
    const { content, ...rest } = entry
    return writeJson({ ...rest, content: '', malformed: `cannot write the content: ${messageOf(thrown)}` })
  }
}

/** The type of a field. Tables of these are faster than `shapes`, which matters for traces with a million lines. */
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

const isHeaders = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every(string)

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
  { name: 'about', optional: true, wanted: 'a string', accepts: string },
  { name: 'arguments', optional: true, wanted: 'a string', accepts: string },
  { name: 'headers', optional: true, wanted: 'a mapping of strings', accepts: isHeaders },
  { name: 'malformed', optional: true, wanted: 'a string', accepts: string },
  { name: 'redacted', optional: true, wanted: 'true', accepts: (value) => value === true },
  { name: 'derived', optional: true, wanted: 'true', accepts: (value) => value === true },
]

/** Returns the first problem in a line; undefined if the line is valid. */
export function faultIn(line: ValueRecord, fields: readonly Field[]): string | undefined {
  for (const { name, optional, wanted, accepts } of fields) {
    // No prototype has the names in the table.
    const value = line[name]
    if (value === undefined) {
      if (optional === undefined) return `missing "${name}": expected ${wanted}`
    } else if (!accepts(value)) return `expected "${name}" to be ${wanted}, got ${shown(value)}`
  }
  return undefined
}

/** Formats a value for a message. Of an object, only the type is shown. */
function shown(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'a mapping'
  return cut(writeJson(value), 60)
}
