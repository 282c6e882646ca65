/** The identity of a request, which selects its recorded answer. */
import { compactJson, readJson, withLimits } from '@joust/source'
import { modelLimits } from '../model/limits.ts'
import { replaceInAnswer } from './stream-values.ts'

/** A recorded request, with the body as text and the path without keys. */
interface RecordedRequest {
  readonly method: string
  readonly path: string
  readonly body: string
}

/** The identity of a request, and the variable values that are not part of it. */
interface RequestIdentity {
  /**
   * Canonical request text: JSON with sorted names, and placeholders for variable values. Equal requests have identical
   * texts.
   */
  readonly text: string
  /** The variable values by placeholder. */
  readonly values: ReadonlyMap<string, string>
}

/**
 * Values that differ between runs and may occur in a prompt: identifiers, loopback ports with a run path, temporary
 * folders, postflight words, dates. They do not distinguish requests, so each is replaced with a number in order of
 * appearance.
 */
const varying: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['id', /(?<![0-9a-f])(?:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{32})(?![0-9a-f])/gi],
  ['loopback', /(?:\b127\.0\.0\.1|\blocalhost|\[::1\]):\d{1,5}(?:\/[0-9a-f]{16}(?![0-9a-f]))?\b/g],
  ['folder', /\bagent-[A-Za-z0-9]{6}\b/g],
  ['word', /\b[a-z]{5,7}[1-9]\d{6}\b/g],
  ['time', /\b\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d))?/g],
  ['date', /\b(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?,? [A-Z][a-z]{2,8} \d{1,2},? \d{4}\b/g],
]

/** Matches the base path of the provider's URL, which is ignored in replays. */
const BASE = /^.*(?=\/(?:chat\/completions|responses|messages|models\/[^/?]*:(?:stream)?generateContent)(?:\?|$))/i

const limits = withLimits({ compactJsonDepth: 2000, yamlBytes: modelLimits.decompressedBytes })

export function requestIdentity({ method, path, body }: RecordedRequest): RequestIdentity {
  const value = readJson(body, limits)
  const json = value.ok ? compactJson(value.value, 'code-point', limits) : undefined
  const { text, values } = steady(json?.ok === true ? json.value : body)
  return { text: `${method} ${path.replace(BASE, '')} ${text}`, values }
}

function steady(body: string): RequestIdentity {
  const values = new Map<string, string>()
  const text = varying.reduce((result, [name, pattern]) => {
    const numbers = new Map<string, number>()
    return result.replaceAll(pattern, (match) => {
      const number = numbers.get(match) ?? numbers.size + 1
      numbers.set(match, number)
      values.set(`<${name} ${number}>`, match)
      return `<${name} ${number}>`
    })
  }, body)
  return { text, values }
}

/** Adapts a recorded answer: replaces the variable values of the recorded request with those of the current one. */
export function withValuesOf(
  answer: string,
  recorded: RequestIdentity['values'],
  current: RequestIdentity['values'],
): string {
  const changes = new Map<string, string>()
  for (const [placeholder, value] of recorded) {
    const other = current.get(placeholder)
    if (other !== undefined && other !== value) changes.set(value, other)
  }
  if (changes.size === 0) return answer
  // One pass, so that inserted values are not replaced again.
  const words = [...changes.keys()].map((value) => value.replaceAll(/[^\w-]/g, '\\$&'))
  const values = new RegExp(words.join('|'), 'g')
  return replaceInAnswer(answer, values, (text) => text.replaceAll(values, (value) => changes.get(value) ?? value))
}
