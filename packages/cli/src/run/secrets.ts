/** Secrets come from the environment, so that they stand neither in the command line nor in results. */
import { err, ok, type Result } from '@joust/source'
import type { Io } from '../terminal/io.ts'

/** Puts the environment in for every `${NAME}`. */
export function expand(option: string, text: string, io: Io): Result<string, string> {
  const missing = new Set<string>()
  const expanded = text.replaceAll(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_, name: string) => {
    const value = Object.hasOwn(io.env, name) ? io.env[name] : undefined
    if (value === undefined) missing.add(name)
    return value ?? ''
  })
  return missing.size === 0 ? ok(expanded) : err(`${option}: the environment has no ${[...missing].join(', ')}`)
}

/** `NAME=VALUE` headers, names in lower case, with the environment put in. */
export function readHeaders(words: readonly string[], io: Io): Result<Record<string, string>, string> {
  const headers: Record<string, string> = {}
  for (const word of words) {
    const [, name, text] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*[=:]\s*(.*)$/s.exec(word) ?? []
    if (name === undefined || text === undefined) return err(`--header wants NAME=VALUE, not "${word}"`)
    const value = expand('--header', text, io)
    if (!value.ok) return value
    if (/[\r\n\0]/.test(value.value)) return err(`--header ${name}: a value is one line`)
    headers[name.toLowerCase()] = value.value
  }
  return ok(headers)
}
