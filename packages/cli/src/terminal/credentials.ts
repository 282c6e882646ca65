/** Texts of the user without what lets somebody in: what is typed wrong is repeated in messages. */

/** A text with user, password and query of its addresses hidden, and what follows the names of headers that hold keys. */
export function withoutCredentials(text: string): string {
  return text
    .replaceAll(/(:\/\/)[^\s/?#"'@]*@/g, '$1[hidden]@')
    .replaceAll(/(:\/\/[^\s?#"']*\?)[^\s#"']+/g, '$1[hidden]')
    .replaceAll(/((?:authorization|cookie|x-api-key|x-auth-token)["']?\s*:\s*)[^"'\n]+/gi, '$1[hidden]')
    .replaceAll(/((?:authorization|cookie|x-api-key|x-auth-token)=)(?:(?:bearer|basic)\s+)?[^\s"']+/gi, '$1[hidden]')
    .replaceAll(/\b(bearer|basic)(\s+)[^\s"',;]{4,}/gi, '$1$2[hidden]')
}

/** The same, with the values of variables hidden that are called keys, tokens, secrets or passwords. */
export function withoutSecretsOf(env: Readonly<Record<string, string | undefined>>, text: string): string {
  let shown = withoutCredentials(text)
  for (const [name, value] of Object.entries(env))
    if (value !== undefined && value.length >= 8 && /key|token|secret|password/i.test(name))
      shown = shown.replaceAll(value, '[hidden]')
  return shown
}
