/** Hides secrets in messages, which may repeat user input. */
import { hideSpellings, isSecretName, SHORTEST_SECRET } from '@joust/source'

/** Hides user, password and parameters in addresses, and the values of headers that contain keys. */
export function withoutCredentials(text: string): string {
  return text
    .replaceAll(/(:\/\/)[^\s/?#"'@]*@/g, '$1[hidden]@')
    .replaceAll(/(:\/\/[^\s?#"']*\?)[^\s#"']+/g, '$1[hidden]')
    .replaceAll(/(:\/\/[^\s#"']*#)[^\s"'=]*=[^\s"']*/g, '$1[hidden]')
    .replaceAll(/(:\/\/[^\s?#;"']*;)[^\s?#"'=]*=[^\s?#"']*/g, '$1[hidden]')
    .replaceAll(/((?:authorization|cookie|x-api-key|x-auth-token)["']?\s*:\s*)[^"'\n]+/gi, '$1[hidden]')
    .replaceAll(/((?:authorization|cookie|x-api-key|x-auth-token)=)(?:(?:bearer|basic)\s+)?[^\s"']+/gi, '$1[hidden]')
    .replaceAll(/\b(bearer|basic)(\s+)[^\s"',;]{4,}/gi, '$1$2[hidden]')
}

/** The variable with the working folder, which is not a password despite its name. */
const FOLDER = 'PWD'

/** Like `withoutCredentials`, but also hides the values of environment variables whose names indicate secrets. */
export function withoutSecretsOf(env: Readonly<Record<string, string | undefined>>, text: string): string {
  const values = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && value.length >= SHORTEST_SECRET && isSecretName(name) && name !== FOLDER ? [value] : [],
  )
  return hideSpellings(values, withoutCredentials(text), '[hidden]')
}
