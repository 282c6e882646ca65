const secretWord =
  /auth(?!or(?!i[sz]))|cookie|(?<!mon|tur|hot|don)key(?!board|word|frame|note|pad|stroke|map)|token(?!i[sz])|secret|cred(?:ential)?s?(?![a-z])|credential|pass-?(?:w|phrase|code)|(?<!by|com|sur)pass(?:-?\d+)?$|(?<!old)pwd|(?<![a-z\d])(?:pw|jwt|psk|pat|otp)(?![a-z])|bearer/

/** Names that refer to a secret's location, kind or absence. */
const aboutSecrets =
  /^(?:no|without|skip|disable)-|-(?:file|path|dir|directory|folder|env|type|mode|method|scheme|jar)$/

/** Names whose numeric values are sizes: `max-tokens`, `key-length`. */
const sizes = /tokens|(?:^|-)(?:max|min|limit|budget|count|size|length|bits|timeout|ttl|expiry|rate)(?:-|$)/

/** Minimum length of a secret in the environment. Shorter values, such as ports, occur in too many texts. */
export const SHORTEST_SECRET = 8

export function isSecretName(name: string): boolean {
  const plain = plainName(name)
  return secretWord.test(plain) && !aboutSecrets.test(plain)
}

export function isSizeName(name: string): boolean {
  return sizes.test(plainName(name))
}

/** Normalizes a name: `apiKey`, `API_KEY` and `--api.key` all become `api-key`. */
function plainName(name: string): string {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}
