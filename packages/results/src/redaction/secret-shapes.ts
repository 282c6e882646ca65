/** Finds secrets with a known format. All patterns run in linear time. */

interface SecretShape {
  readonly kind: string
  /** Matches the secret, which is the group `secret` or, if there is no such group, the whole match. */
  readonly pattern: RegExp
}

/** The span of a secret in a text. `end` is exclusive. */
export interface SecretSpan {
  readonly start: number
  readonly end: number
  readonly kind: string
}

// For linear time, the character after a repetition must not be in its class, and a match must not start inside a run of
// that class.
// biome-ignore format: a row is a line
const secretShapes: readonly SecretShape[] = [
  { kind: 'aws-access-key-id', pattern: /(?<![A-Za-z0-9])(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])/g },
  { kind: 'github-token', pattern: /(?<![A-Za-z0-9])(?:gh[opusr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{22,})/g },
  { kind: 'gitlab-token', pattern: /(?<![A-Za-z0-9])gl(?:pat|dt|rt|ptt|oas)-[A-Za-z0-9_-]{20,}/g },
  { kind: 'anthropic-key', pattern: /(?<![A-Za-z0-9])sk-ant-[A-Za-z0-9_-]{20,}/g },
  { kind: 'openai-key', pattern: /(?<![A-Za-z0-9])sk-(?!ant-)(?=[A-Za-z_-]{0,64}[0-9])[A-Za-z0-9_-]{20,}/g },
  { kind: 'google-api-key', pattern: /(?<![A-Za-z0-9])AIza[A-Za-z0-9_-]{35}/g },
  { kind: 'google-oauth-token', pattern: /(?<![A-Za-z0-9])ya29\.[A-Za-z0-9_-]{20,}/g },
  { kind: 'slack-token', pattern: /(?<![A-Za-z0-9])(?:xox[abeoprs]|xapp)-[A-Za-z0-9-]{10,}/g },
  { kind: 'slack-webhook', pattern: /hooks\.slack\.com\/services\/(?<secret>[A-Za-z0-9_/]{20,})/dg },
  { kind: 'stripe-key', pattern: /(?<![A-Za-z0-9])(?:[rs]k|whsec)_(?:live_|test_)?[A-Za-z0-9]{16,}/g },
  { kind: 'npm-token', pattern: /(?<![A-Za-z0-9])npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])/g },
  { kind: 'hugging-face-token', pattern: /(?<![A-Za-z0-9])hf_[A-Za-z0-9]{30,}/g },
  { kind: 'json-web-token', pattern: /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?/g },
  { kind: 'bearer-token', pattern: /(?<![A-Za-z0-9])bearer[ \t]{1,4}(?<secret>(?=[A-Za-z._~+/=-]{0,64}[0-9]|[A-Za-z._~+/=-]{16})[A-Za-z0-9._~+/=-]{8,})/dgi },
  { kind: 'authorization', pattern: /(?<![A-Za-z0-9])authorization["']?[ \t]{0,4}[:=][ \t]{0,4}["']?(?:basic|token|digest|apikey)[ \t]{1,4}(?<secret>[^\s"',;\\]{8,})/dgi },
  { kind: 'url-password', pattern: /:\/\/[^\s/:@"'[\]]{0,64}:(?<secret>[^\s/@"'[\]]{1,128})@/dg },
]

const BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g
const END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g

/** Finds all secrets with a known format. The spans may overlap. */
export function findSecrets(text: string): SecretSpan[] {
  return [...secretShapes.flatMap((shape) => spansOf(text, shape)), ...privateKeys(text)]
}

function spansOf(text: string, { kind, pattern }: SecretShape): SecretSpan[] {
  return [...text.matchAll(pattern)].map((match) => {
    const [start, end] = match.indices?.groups?.secret ?? [match.index, match.index + match[0].length]
    return { start, end, kind }
  })
}

/** Finds private keys from their first to their last line, or to the end of truncated text. */
function privateKeys(text: string): SecretSpan[] {
  const ends = [...text.matchAll(END)].map((match) => match.index + match[0].length)
  const spans: SecretSpan[] = []
  let next = 0
  let covered = 0
  for (const { index } of text.matchAll(BEGIN)) {
    if (index < covered) continue
    while (next < ends.length && (ends[next] ?? 0) <= index) next += 1
    covered = ends[next] ?? text.length
    spans.push({ start: index, end: covered, kind: 'private-key' })
  }
  return spans
}
