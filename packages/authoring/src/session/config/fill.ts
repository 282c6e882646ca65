import { err, ok, type Result } from '@joust/source'
import type { ServerEntry } from './server-entry.ts'

const VARIABLE = /\$\{(?:env:)?([A-Za-z_]\w*)(?::-([^}]*))?\}|\{env:([A-Za-z_]\w*)\}/g

/** Resolves the variables of an entry. The error is the name of the first variable that is not set. */
export function fillEntry(
  entry: ServerEntry,
  environment: Readonly<Record<string, string | undefined>>,
): Result<ServerEntry, string> {
  const missing: string[] = []
  const fill = (text: string): string =>
    text.replaceAll(
      VARIABLE,
      (whole, first: string | undefined, fallback: string | undefined, second: string | undefined) => {
        const name = first ?? second ?? ''
        const value = environment[name] ?? fallback
        if (value === undefined) missing.push(name)
        return value ?? whole
      },
    )
  const fillAll = (texts: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, fill(text)]))
  const filled: ServerEntry = {
    ...entry,
    ...(entry.command !== undefined && { command: entry.command.map(fill) }),
    ...(entry.url !== undefined && { url: fill(entry.url) }),
    ...(entry.cwd !== undefined && { cwd: fill(entry.cwd) }),
    env: fillAll(entry.env),
    headers: fillAll(entry.headers),
  }
  return missing[0] === undefined ? ok(filled) : err(`the environment variable ${missing[0]} is not set`)
}
