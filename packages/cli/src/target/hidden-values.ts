/** Command lines and addresses in a form that may be shown. */
import { isUrl } from '../options/values.ts'
import { withoutCredentials } from '../terminal/credentials.ts'

/** An address without user, password and query. Anything else is a command. */
export function shownPlace(place: string): string {
  if (!isUrl(place)) return withoutSecretValues(place)
  return URL.canParse(place) ? `${new URL(place).origin}${new URL(place).pathname}` : withoutCredentials(place)
}

/** A word, including quoted parts. */
const VALUE = `(?:"[^"]*"|'[^']*'|[^\\s"'])+`
const option = new RegExp(`(--?[\\w-]*(?:key|token|secret|password|header)[\\w-]*)([= ]+)(?!-)${VALUE}`, 'gi')
const variable = new RegExp(`(^|[\\s"'])([A-Za-z_][A-Za-z0-9_]*=)(?!\\{)${VALUE}`, 'g')

/**
 * A command line with values hidden that may be secret: those of options called keys, tokens, secrets, passwords or
 * headers, those of variables that are set in it, and long words that are neither names nor paths.
 */
export function withoutSecretValues(command: string): string {
  return withoutCredentials(command)
    .replaceAll(option, '$1$2[hidden]')
    .replaceAll(variable, '$1$2[hidden]')
    .replaceAll(/[^\s"'=]+/g, (word) => (looksRandom(word) ? '[hidden]' : word))
}

/** A run of letters and digits that is too long for a name; paths consist of shorter ones. */
function looksRandom(word: string): boolean {
  return word.split(/[/\\.{}:]/).some((part) => part.length >= 20 && /\d/.test(part) && /[A-Za-z]/.test(part))
}
