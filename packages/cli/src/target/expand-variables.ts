/** Expands variables in options, so that secrets need not appear on the command line or in results. */
import { err, fillVariables, ok, type Result } from '@joust/source'
import type { Io } from '../terminal/io.ts'

export function expandHeaders(
  headers: Readonly<Record<string, string>>,
  io: Io,
): Result<Record<string, string>, string> {
  const expanded: Record<string, string> = {}
  for (const [name, text] of Object.entries(headers)) {
    const value = expand(text, io)
    if (!value.ok) return err(`--header: ${value.error}`)
    expanded[name] = value.value
  }
  return ok(expanded)
}

export function expandText(option: string, text: string | undefined, io: Io): Result<string | undefined, string> {
  if (text === undefined) return ok(undefined)
  const value = expand(text, io)
  return value.ok ? value : err(`${option}: ${value.error}`)
}

function expand(text: string, io: Io): Result<string, string> {
  const filled = fillVariables(text, io.env)
  if (filled.ok)
    return /[\r\n\0]/.test(filled.value.text) ? err('the value contains a line break or NUL') : ok(filled.value.text)
  // The text may be a secret itself, so the message does not contain it.
  const messages = filled.error.map(({ code, message }) => (code === 'not_a_variable' ? NOT_A_VARIABLE : message))
  return err(messages.join('; '))
}

const NOT_A_VARIABLE = `invalid variable; use \${NAME}, or $\${ for a literal \${`
