/** What counts as a secret by its name, and the user's texts without secrets: messages repeat what was mistyped. */
import { hideSpellings } from '@joust/source'

/** In the names of variables, options, fields and headers whose values are secrets; as a regular expression. */
export const SECRET_WORDS =
  'auth(?!or(?!i[sz]))|cookie|key|token|secret|credential|passw|passphrase|passcode|(?<![a-z])pass(?![\\w-])|(?<![a-z])pwd'

const secretName = new RegExp(SECRET_WORDS, 'i')

/** A shorter value of the environment, such as a port or a name, occurs in too many texts. */
export const SHORTEST_SECRET = 8

/** Whether what has this name is a secret. */
export function isSecretName(name: string): boolean {
  return secretName.test(name)
}

/** A text with user, password and query of its addresses hidden, and what follows the names of headers with keys. */
export function withoutCredentials(text: string): string {
  return text
    .replaceAll(/(:\/\/)[^\s/?#"'@]*@/g, '$1[hidden]@')
    .replaceAll(/(:\/\/[^\s?#"']*\?)[^\s#"']+/g, '$1[hidden]')
    .replaceAll(/((?:authorization|cookie|x-api-key|x-auth-token)["']?\s*:\s*)[^"'\n]+/gi, '$1[hidden]')
    .replaceAll(/((?:authorization|cookie|x-api-key|x-auth-token)=)(?:(?:bearer|basic)\s+)?[^\s"']+/gi, '$1[hidden]')
    .replaceAll(/\b(bearer|basic)(\s+)[^\s"',;]{4,}/gi, '$1$2[hidden]')
}

/** The same, with the values of variables hidden that are secrets by their names. */
export function withoutSecretsOf(env: Readonly<Record<string, string | undefined>>, text: string): string {
  const values = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && value.length >= SHORTEST_SECRET && isSecretName(name) ? [value] : [],
  )
  return hideSpellings(values, withoutCredentials(text), '[hidden]')
}
