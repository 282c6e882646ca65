/** What is hidden before anything is written. */
import { createRedactor, type Redactor, type ResultTarget } from '@joust/arena'
import { err, ok, type Result } from '@joust/source'

/** What a run hides. */
export interface Redaction {
  /** In traces: what the user named. */
  readonly traces: Redactor
  /** In results and reports: that, and whatever has the shape of a secret. */
  readonly results: Redactor
}

/** Reads the patterns of `--redact`. */
export function readRedaction(patterns: readonly string[] = []): Result<Redaction, string> {
  const traces = createRedactor({ patterns, shapes: false })
  const results = createRedactor({ patterns })
  if (traces.ok && results.ok) return ok({ traces: traces.value, results: results.value })
  const faults = traces.ok ? [] : traces.error
  return err(`--redact: ${faults.map(({ message }) => message).join('; ')}`)
}

/** A target as results tell of it: a command or an address may hold secrets. */
export function redactTarget(about: ResultTarget, { results }: Redaction): ResultTarget {
  const details = Object.entries(about.details ?? {}).map(([key, value]) => [key, results.text(value)])
  const name = results.text(about.name)
  return { ...about, name, ...(about.details === undefined ? {} : { details: Object.fromEntries(details) }) }
}
