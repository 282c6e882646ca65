/** The content of a request by which a recording finds it again. */
import { compactJson, readJson, withLimits } from '@joust/source'
import { modelLimits } from '../model/limits.ts'

/** A request as it is recorded: the body as text, and the path without keys. */
interface RecordedRequest {
  readonly method: string
  readonly path: string
  readonly body: string
}

/**
 * Values that differ between runs and may occur in a prompt: identifiers, loopback ports, temporary folders, dates.
 * Requests that differ in nothing else are equal, so each such value is numbered by its first appearance.
 */
const varying: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['id', /(?<![0-9a-f])(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{32})(?![0-9a-f])/gi],
  ['loopback', /(?:\b127\.0\.0\.1|\blocalhost|\[::1\]):\d{1,5}\b/g],
  ['folder', /\bagent-[A-Za-z0-9]{6}\b/g],
  ['time', /\b\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d))?/g],
]

/** The path of the provider's address, which a replay does not need to know. */
const BASE = /^.*(?=\/(?:chat\/completions|responses|messages|models\/[^/?]*:(?:stream)?generateContent)(?:\?|$))/i

const limits = withLimits({ compactJsonDepth: 2000, yamlBytes: modelLimits.decompressedBytes })

/** A text that is the same for equal requests: JSON with sorted names, without the values that vary. */
export function requestIdentity({ method, path, body }: RecordedRequest): string {
  const value = readJson(body, limits)
  const json = value.ok ? compactJson(value.value, 'code-point', limits) : undefined
  return `${method} ${path.replace(BASE, '')} ${steady(json?.ok === true ? json.value : body)}`
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
