/** The content of a request by which a recording finds it again. */
import { compactJson, parseJson, withLimits } from '@joust/source'

/** A request as it is recorded: the body as text, and the path without keys. */
interface RecordedRequest {
  readonly method: string
  readonly path: string
  readonly body: string
}

/**
 * Values that each run draws anew and that may get into a prompt: identifiers, loopback ports, times. Requests that
 * differ in nothing else are equal, so each such value is numbered by its first appearance.
 */
const varying: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['id', /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi],
  ['loopback', /(?:\b127\.0\.0\.1|\blocalhost|\[::1\]):\d{1,5}\b/g],
  ['time', /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)/g],
]

const limits = withLimits({ compactJsonDepth: 2000 })

/** A text that is the same for equal requests: JSON with sorted names, without the values that vary. */
export function requestIdentity({ method, path, body }: RecordedRequest): string {
  const value = parseJson(body)
  const json = value === undefined ? undefined : compactJson(value, 'code-point', limits)
  return `${method} ${path} ${steady(json?.ok === true ? json.value : body)}`
}

function steady(text: string): string {
  return varying.reduce((result, [name, pattern]) => {
    const numbers = new Map<string, number>()
    return result.replaceAll(pattern, (match) => {
      const number = numbers.get(match) ?? numbers.size + 1
      numbers.set(match, number)
      return `<${name} ${number}>`
    })
  }, text)
}
