/** Command lines and addresses in a form that may be shown. */
import { isUrl } from '../options/values.ts'
import { isSecretName, SECRET_WORDS, SHORTEST_SECRET, withoutCredentials } from '../terminal/credentials.ts'

/** An address without user, password and query. Anything else is a command. */
export function shownPlace(place: string): string {
  if (!isUrl(place)) return withoutSecretValues(place)
  return URL.canParse(place) ? `${new URL(place).origin}${new URL(place).pathname}` : withoutCredentials(place)
}

/** A word, including quoted parts. */
const VALUE = `(?:"[^"]*"|'[^']*'|[^\\s"'])+`
const NAME = `[\\w-]*(?:${SECRET_WORDS})[\\w-]*`
const QUOTE = `(?:\\\\?["'])`

/** The text before a secret in a command line, and the secret. */
const named: readonly RegExp[] = [
  // `--api-key X`, and any header.
  new RegExp(`(--?[\\w-]*(?:${SECRET_WORDS}|header)[\\w-]*[= ]+)(?!-)(${VALUE})`, 'gi'),
  // `-u name:password`, as curl has it.
  /((?:^|\s)(?:-u|--(?:proxy-)?user)[= ]*)(?!-)("[^":]*:[^"]*"|'[^':]*:[^']*'|[^\s"':=]+:(?!\/\/)[^\s"']*)/g,
  // `{"apiKey": "X"}`, also without its quotes or with backslashes before them.
  new RegExp(
    `((?:[{,]\\s*|(?=${QUOTE}))${QUOTE}?${NAME}${QUOTE}?\\s*:\\s*)(\\\\"[^"]*\\\\"|"[^"]*"|'[^']*'|[^\\s,}"'\\\\]+)`,
    'gi',
  ),
]
const variable = new RegExp(`((?:^|[\\s"'])([A-Za-z_][A-Za-z0-9_]*)=)(?!\\{)(${VALUE})`, 'g')

/**
 * A command line with values hidden that may be secret: those of options and fields with the name of a secret or a
 * header, passwords after a user, those of variables that are set in it, and long words that are neither names nor paths.
 */
export function withoutSecretValues(command: string): string {
  return named
    .reduce((shown, pattern) => shown.replaceAll(pattern, '$1[hidden]'), withoutCredentials(command))
    .replaceAll(variable, '$1[hidden]')
    .replaceAll(/[^\s"'=]+/g, (word) => (looksRandom(word) ? '[hidden]' : word))
}

/** Values in a command line that are secret by their name or their looks; the program may print them. */
export function secretsInCommand(command: string): string[] {
  const values = namedSecrets(command).flatMap(({ value }) => [value, ...value.split(/[\s:]+/)])
  return [...values, ...command.split(/[\s"'=]/).flatMap(randomParts)].filter((text) => text.length >= SHORTEST_SECRET)
}

/** A secret in a command line, and what names it. */
interface NamedSecret {
  readonly name: string
  readonly value: string
}

/** The values in a command line that are secret by their name, of any length; placeholders are not. */
export function namedSecrets(command: string): readonly NamedSecret[] {
  const variables = [...command.matchAll(variable)].filter(([, , name = '']) => isSecretName(name))
  const matches = named.flatMap((pattern) => [...command.matchAll(pattern)])
  return [
    ...matches.map(([, lead = '', value = '']) => ({ lead, value })),
    ...variables.map(([, lead = '', , value = '']) => ({ lead, value })),
  ].flatMap(({ lead, value }) => {
    // Of `Authorization: Bearer key` the key alone is as secret.
    const plain = value.replaceAll(/\\?["']/g, '').replace(/^[\w-]+:\s+/, '')
    const name = lead.replaceAll(/[\s"'\\:={,]+/g, '')
    return plain.startsWith('{') ? [] : [{ name, value: plain }]
  })
}

function looksRandom(word: string): boolean {
  return randomParts(word).length > 0
}

/** Runs of letters and digits that are too long for names; paths consist of shorter ones. */
function randomParts(word: string): string[] {
  return word.split(/[/\\.{}:]/).filter((part) => part.length >= 20 && /\d/.test(part) && /[A-Za-z]/.test(part))
}
