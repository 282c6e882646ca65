/** What is hidden before anything is written. */
import { createRedactor, type Redactor, type ResultTarget } from '@joust/arena'
import { err, ok, type Result } from '@joust/source'

/** What is shorter, a port or a name, stands in too many texts. */
const SHORTEST = 8

/** What the user named, what came from the environment and, unless told otherwise, whatever has the shape of a secret. */
export function readRedactor(
  patterns: readonly string[] = [],
  shapes = true,
  secrets: readonly string[] = [],
): Result<Redactor, string> {
  const known = [...new Set(secrets)].filter((secret) => secret.length >= SHORTEST).map(literally)
  const made = createRedactor({ patterns: [...patterns, ...known], shapes })
  return made.ok ? ok(made.value) : err(`--redact: ${made.error.map(({ message }) => message).join('; ')}`)
}

/** An expression that matches a text and nothing else. */
function literally(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9_]/gu, (character) => `\\x{${character.codePointAt(0)?.toString(16)}}`)
}

/** A target as results tell of it: a command or an address may hold secrets. */
export function redactTarget(about: ResultTarget, redactor: Redactor): ResultTarget {
  const details = Object.entries(about.details ?? {}).map(([key, value]) => [key, redactor.text(value)])
  const name = redactor.text(about.name)
  return { ...about, name, ...(about.details === undefined ? {} : { details: Object.fromEntries(details) }) }
}
