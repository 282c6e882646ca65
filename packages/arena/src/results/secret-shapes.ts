/** Secrets that can be recognized by their form. Our own patterns, each linear: nothing is tried twice at one place. */

/** A kind of secret, and where it occurs in a text. */
interface SecretShape {
  readonly kind: string
  /** The whole match is the secret, or its group `secret` where there is one. */
  readonly pattern: RegExp
}

/** Something to hide: from `start` up to `end`. */
export interface SecretSpan {
  readonly start: number
  readonly end: number
  readonly kind: string
}

// What follows a repetition must not be of its class, and a match must not begin inside a run of that class: so no part
// of a text is looked at more than once by a pattern.
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

/** Every secret of a known shape in a text, shape by shape; they may overlap. */
export function findSecrets(text: string): SecretSpan[] {
  return [...secretShapes.flatMap((shape) => spansOf(text, shape)), ...privateKeys(text)]
}

function spansOf(text: string, { kind, pattern }: SecretShape): SecretSpan[] {
  return [...text.matchAll(pattern)].map((match) => {
    const [start, end] = match.indices?.groups?.secret ?? [match.index, match.index + match[0].length]
    return { start, end, kind }
  })
}

/** From the first line of a key to its last, or to the end of a text that was cut. */
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
