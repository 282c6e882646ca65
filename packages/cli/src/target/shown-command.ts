/** Command lines and URLs without secrets, for output. */
import { SHORTEST_SECRET } from '@joust/source'
import { isUrl } from '../options/values.ts'
import { withoutCredentials } from '../terminal/credentials.ts'
import { findSecrets } from './command-secrets.ts'

/** Returns a URL without credentials and query parameters, or a command without secrets. */
export function shownPlace(place: string): string {
  if (!isUrl(place)) return withoutSecretValues(place)
  if (!URL.canParse(place)) return withoutCredentials(place)
  const { origin, pathname } = new URL(place)
  return `${origin}${pathname.replaceAll(/;[^/;]*=[^/;]*/g, '')}`
}

const variable = /((?:^|[\s"'])[A-Za-z_][A-Za-z0-9_]*=)(?!\{|\[hidden\])((?:"[^"]*"|'[^']*'|[^\s"'])+)/g

/**
 * Hides possible secrets in a command line: values whose names indicate secrets or headers, passwords after a user
 * name, values of variables that the command sets, and long words that are neither names nor paths.
 */
export function withoutSecretValues(command: string): string {
  const parts: string[] = []
  let end = 0
  for (const secret of [...findSecrets(command)].sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (secret.start >= end) parts.push(command.slice(end, secret.start), '[hidden]')
    end = Math.max(end, secret.end)
  }
  return withoutCredentials(`${parts.join('')}${command.slice(end)}`)
    .replaceAll(variable, '$1[hidden]')
    .replaceAll(/[^\s"'=]+/g, (word) => (randomParts(word).length > 0 ? '[hidden]' : word))
}

/** Returns possible secrets in a command line, because the program may print them. */
export function secretsInCommand(command: string): string[] {
  const values = findSecrets(command).flatMap(({ value }) => {
    const plain = value.replaceAll(/^\\*["']|\\*["']$/g, '')
    return [plain, ...plain.split(/[\s:]+/), ...plain.split(/[\s:,"'{}[\]\\]+/)]
  })
  const parts = [...values, ...command.split(/[\s"'=]/).flatMap(randomParts)]
  return [...new Set(parts.filter((text) => text.length >= SHORTEST_SECRET))]
}

/** Returns sequences of letters and digits that are too long for names; paths consist of shorter sequences. */
function randomParts(word: string): string[] {
  return word.split(/[/\\.{}:]/).filter((part) => part.length >= 20 && /\d/.test(part) && /[A-Za-z]/.test(part))
}
