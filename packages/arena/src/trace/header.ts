/** The first and the last line of a trace file: which version of the format it is, and how the run ended. */
import { err, isList, isRecord, ok, own, type Result, type ValueRecord, writeJson } from '@joust/source'
import type { Exposure } from '../model/outcome.ts'

/** The version that is written, and the newest that is read. */
export const TRACE_VERSION = 1

/** How every trace of ours begins. */
export const TRACE_MARK = '{"joust_trace":'

/** What the first line may say beside the version. */
export interface TraceHeader {
  /** The time at which the run began, as ISO 8601. */
  readonly started_at?: string
  readonly attack?: { readonly id?: string; readonly name?: string }
  readonly actors?: readonly { readonly name: string; readonly mode: string }[]
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
    return err(`joust_trace is ${writeJson(version)}; it must be a whole number from 1 on`)
  }
  if (version > TRACE_VERSION) return err(`trace version ${version}; this reads up to ${TRACE_VERSION}`)
  return ok(undefined)
}

/** How the run ended that a trace is of. */
export interface TraceEnding {
  readonly ended: string
  /** Why nothing good can be said of the agent, whatever the messages are; a sentence each. */
  readonly reasons?: readonly string[]
  readonly exposure?: Exposure
  /** Of the document that was run; what is said of exposure is about no other. */
  readonly fingerprint?: string
  /** The document attacked itself. */
  readonly self_play?: true
  /** How many entries were written. */
  readonly entries?: number
}

/** The last line of a trace, without its line break. A file without one was cut off. */
export function endLine(ending: TraceEnding): string {
  return JSON.stringify({ joust_trace_end: TRACE_VERSION, ...ending })
}

/** Whether a line claims to be the last one. */
export function isEndLine(line: ValueRecord): boolean {
  return Object.hasOwn(line, 'joust_trace_end')
}

/** What the last line says; an error when it does not say how the run ended. */
export function endingIn(line: ValueRecord): Result<TraceEnding, string> {
  const { ended, reasons = [], exposure, fingerprint, self_play, entries } = line
  if (typeof ended !== 'string' || !isList(reasons)) return err('the last line does not say how the run ended')
  const texts = reasons.filter((reason) => typeof reason === 'string')
  const known = isRecord(exposure) ? exposureIn(exposure) : undefined
  return ok({
    ended,
    ...(texts.length > 0 ? { reasons: texts } : {}),
    ...(known === undefined ? {} : { exposure: known }),
    ...(typeof fingerprint === 'string' ? { fingerprint } : {}),
    ...(self_play === true ? { self_play } : {}),
    ...(typeof entries === 'number' ? { entries } : {}),
  })
}

function exposureIn({ planted, delivered, bait, guessed, bait_seq }: ValueRecord): Exposure | undefined {
  const texts = (value: unknown) => (isList(value) ? value.filter((item) => typeof item === 'string') : [])
  const lists = { planted: texts(planted), delivered: texts(delivered), bait: texts(bait) }
  return {
    ...lists,
    ...(guessed === true ? { guessed } : {}),
    ...(typeof bait_seq === 'number' ? { bait_seq } : {}),
  }
}
