/** The first line of a trace file: which version of the format follows. */
import { err, ok, own, type Result, type ValueRecord } from '@joust/source'

/** The version that is written, and the newest that is read. */
export const TRACE_VERSION = 1

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
    return err(`joust_trace is ${JSON.stringify(version)}; it must be a whole number from 1 on`)
  }
  if (version > TRACE_VERSION) return err(`trace version ${version}; this reads up to ${TRACE_VERSION}`)
  return ok(undefined)
}
