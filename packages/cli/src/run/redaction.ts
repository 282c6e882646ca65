/** What is hidden before anything is written. */
import { createRedactor, type Redactor, type ResultTarget } from '@joust/arena'
import { err, ok, type Result } from '@joust/source'

/** What the user named and, unless told otherwise, whatever has the shape of a secret. */
export function readRedactor(patterns: readonly string[] = [], shapes = true): Result<Redactor, string> {
  const made = createRedactor({ patterns, shapes })
  return made.ok ? ok(made.value) : err(`--redact: ${made.error.map(({ message }) => message).join('; ')}`)
}

/** A target as results tell of it: a command or an address may hold secrets. */
export function redactTarget(about: ResultTarget, redactor: Redactor): ResultTarget {
  const details = Object.entries(about.details ?? {}).map(([key, value]) => [key, redactor.text(value)])
  const name = redactor.text(about.name)
  return { ...about, name, ...(about.details === undefined ? {} : { details: Object.fromEntries(details) }) }
}
