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
const option = new RegExp(`(--?[\\w-]*(?:${SECRET_WORDS}|header)[\\w-]*)([= ]+)(?!-)(${VALUE})`, 'gi')
const variable = new RegExp(`(^|[\\s"'])([A-Za-z_][A-Za-z0-9_]*=)(?!\\{)(${VALUE})`, 'g')

/**
 * A command line with values hidden that may be secret: those of options with the name of a secret or a header, those
 * of variables that are set in it, and long words that are neither names nor paths.
 */
export function withoutSecretValues(command: string): string {
  return withoutCredentials(command)
    .replaceAll(option, '$1$2[hidden]')
    .replaceAll(variable, '$1$2[hidden]')
    .replaceAll(/[^\s"'=]+/g, (word) => (looksRandom(word) ? '[hidden]' : word))
}

/** Values in a command line that are secret by their name or their looks; the program may print them. */
export function secretsInCommand(command: string): string[] {
  const named = [...command.matchAll(variable)].filter(([, , name = '']) => isSecretName(name))
  const values = [...command.matchAll(option), ...named].flatMap(([, , , value = '']) => {
    // Of `Authorization: Bearer key` the key alone is as secret.
    const plain = value.replaceAll(/["']/g, '').replace(/^[\w-]+:\s*/, '')
    return plain.startsWith('{') ? [] : [plain, ...plain.split(/\s+/)]
  })
  return [...values, ...command.split(/[\s"'=]/).flatMap(randomParts)].filter((text) => text.length >= SHORTEST_SECRET)
}

function looksRandom(word: string): boolean {
  return randomParts(word).length > 0
}

/** Runs of letters and digits that are too long for names; paths consist of shorter ones. */
function randomParts(word: string): string[] {
  return word.split(/[/\\.{}:]/).filter((part) => part.length >= 20 && /\d/.test(part) && /[A-Za-z]/.test(part))
}
