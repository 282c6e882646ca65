/** Separates values of an attack from values that tasks need. */
import type { Matcher } from '@joust/agentformat'
import { compileRegex, type Value, type ValueRecord } from '@joust/source'

/** Values of an argument or field: the attack's value, and all others. */
interface Contrast {
  readonly abused: Value
  readonly benign: readonly Value[]
}

/** Patterns of suspicious texts, because an approval condition cannot negate the harmless ones. */
const suspects: readonly string[] = [
  '(^|[/\\\\])\\.\\.([/\\\\]|$)',
  '^([/\\\\~]|[A-Za-z]:[/\\\\])',
  '^[a-z][a-z0-9+.-]*://',
  '[;&|`$<>\\n]',
]

/** Patterns of mostly harmless texts, the strictest first. */
const harmless: readonly string[] = [
  '^[0-9]+$',
  '^[A-Za-z0-9_-]+$',
  '^[A-Za-z0-9_-]+([.][A-Za-z0-9_-]+)*$',
  '^([A-Za-z0-9_-]+/)*[A-Za-z0-9_-]+([.][A-Za-z0-9_-]+)*$',
]

/** Conditions that hold for the value of the attack and for no other; the narrowest come first. */
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

/** Keywords for a JSON Schema that accepts all values except the attack's, most permissive first. */
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

/** The range of the other numbers, if all of them are smaller or all are greater than the attack's number. */
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

/** A pattern for the common domain of mail addresses, if they have one. */
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
