/** Distinguishes an attack's values from values that tasks need. */
import type { Matcher } from '@joust/agentformat'
import { compileRegex, type Value, type ValueRecord } from '@joust/source'

/** The value that the attack uses for an argument or field, and the values in benign tasks. */
interface Contrast {
  readonly abused: Value
  readonly benign: readonly Value[]
}

/** Patterns for suspicious strings, to match the attack's value: an approval condition cannot negate a pattern. */
const suspects: readonly string[] = [
  '(^|[/\\\\])\\.\\.([/\\\\]|$)',
  '^([/\\\\~]|[A-Za-z]:[/\\\\])',
  '^[a-z][a-z0-9+.-]*://',
  '[;&|`$<>\\n]',
]

/** Patterns for mostly harmless strings, strictest first. */
const harmless: readonly string[] = [
  '^[0-9]+$',
  '^[A-Za-z0-9_-]+$',
  '^[A-Za-z0-9_-]+([.][A-Za-z0-9_-]+)*$',
  '^([A-Za-z0-9_-]+/)*[A-Za-z0-9_-]+([.][A-Za-z0-9_-]+)*$',
]

/** Returns conditions that hold for the attack's value but for no benign value, narrowest first. */
export function conditionsFor({ abused, benign }: Contrast): Matcher[] {
  if (benign.length === 0) return []
  if (typeof abused === 'boolean') return benign.every((one) => one === !abused) ? [abused] : []
  if (typeof abused === 'number') {
    const { most, least } = rangeWithout(abused, benign)
    if (most !== undefined) return [{ gt: most }]
    return least === undefined ? [] : [{ lt: least }]
  }
  if (typeof abused !== 'string') return []
  const texts = textsOf(benign)
  if (texts === undefined || texts.includes(abused)) return []
  const patterns = suspects.filter((pattern) => matches(pattern, abused) && !texts.some((one) => matches(pattern, one)))
  return [...patterns.slice(0, 1).map((pattern) => ({ pattern })), { not_in: texts }]
}

/** Returns JSON Schema keywords that accept the benign values but reject the attack's, most permissive first. */
export function keywordsFor({ abused, benign }: Contrast): ValueRecord[] {
  if (benign.length === 0) return []
  if (typeof abused === 'number') {
    const { most, least } = rangeWithout(abused, benign)
    if (most !== undefined) return [{ maximum: most }]
    return least === undefined ? [] : [{ minimum: least }]
  }
  const texts = textsOf(benign)
  if (typeof abused !== 'string' || texts === undefined || texts.includes(abused)) return []
  const pattern = [...harmless, ...sameDomain(texts)].find(
    (one) => texts.every((text) => matches(one, text)) && !matches(one, abused),
  )
  const longest = Math.max(...texts.map((text) => [...text].length))
  return [
    ...(pattern === undefined ? [] : [{ pattern }]),
    ...([...abused].length > longest ? [{ maxLength: longest }] : []),
    { enum: texts },
  ]
}

/** Returns the maximum or minimum of the benign numbers, if all of them are below or above the attack's number. */
function rangeWithout(abused: number, benign: readonly Value[]): { readonly most?: number; readonly least?: number } {
  const numbers = benign.filter((one) => typeof one === 'number')
  if (numbers.length < benign.length) return {}
  if (numbers.every((one) => one < abused)) return { most: Math.max(...numbers) }
  return numbers.every((one) => one > abused) ? { least: Math.min(...numbers) } : {}
}

function textsOf(values: readonly Value[]): string[] | undefined {
  const texts = values.filter((one) => typeof one === 'string')
  return texts.length < values.length ? undefined : [...new Set(texts)]
}

function sameDomain(texts: readonly string[]): string[] {
  const domains = new Set(texts.map((text) => /^[^@\s]+@([A-Za-z0-9.-]+)$/.exec(text)?.[1]))
  const [domain] = domains
  if (domains.size !== 1 || domain === undefined) return []
  return [`^[^@ ]+@${domain.replaceAll('.', '[.]')}$`]
}

function matches(pattern: string, text: string): boolean {
  const regex = compileRegex(pattern)
  const isMatch = regex.ok ? regex.value.test(text) : undefined
  return isMatch?.ok === true && isMatch.value
}
