/** What SDK §4.2 and §5.3 say about patterns, written down as directly as possible and regardless of cost. */
import type { Value } from '@joust/source'
import type { MatchCondition } from '../../src/model/document.ts'

const operators = ['contains', 'starts_with', 'ends_with', 'regex', 'any_of', 'gt', 'lt', 'gte', 'lte', 'exists']

/** Whether a pattern in standard form matches a message. */
export function naiveMatch(target: string, condition: Value, message: Value): boolean {
  const values = resolve(target === '' ? [] : target.split('.'), message)
  if (!isObject(condition) || !operators.some((name) => name in condition)) {
    return values.some((value) => equal(condition, value))
  }
  const asked = condition as MatchCondition
  if (Object.keys(condition).join() === 'exists') return asked.exists === values.length > 0
  return values.some((value) => holds(asked, value))
}

function resolve(segments: readonly string[], value: Value): Value[] {
  const [segment, ...rest] = segments
  if (segment === undefined) return [value]
  const name = segment.replace('[*]', '')
  if (!isObject(value) || !Object.keys(value).includes(name)) return []
  const child = value[name] as Value
  if (!segment.endsWith('[*]')) return resolve(rest, child)
  return Array.isArray(child) ? child.flatMap((item: Value) => resolve(rest, item)) : []
}

function holds(asked: MatchCondition, value: Value): boolean {
  const text = typeof value === 'string' ? value : json(value)
  const above = (operand: number | bigint | undefined, compare: (a: number | bigint, b: number | bigint) => boolean) =>
    operand === undefined || ((typeof value === 'number' || typeof value === 'bigint') && compare(value, operand))
  return (
    (asked.contains === undefined || text.includes(asked.contains)) &&
    (asked.starts_with === undefined || text.startsWith(asked.starts_with)) &&
    (asked.ends_with === undefined || text.endsWith(asked.ends_with)) &&
    (asked.regex === undefined || native(asked.regex).test(text)) &&
    (asked.any_of === undefined || asked.any_of.some((choice) => equal(choice, value))) &&
    above(asked.gt, (a, b) => a > b) &&
    above(asked.lt, (a, b) => a < b) &&
    above(asked.gte, (a, b) => a >= b) &&
    above(asked.lte, (a, b) => a <= b) &&
    asked.exists !== false
  )
}

function equal(a: Value, b: Value): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => equal(item, b[index]))
  if (isObject(a) && isObject(b)) {
    const keys = Object.keys(a)
    return (
      keys.length === Object.keys(b).length && keys.every((key) => key in b && equal(a[key] as Value, b[key] as Value))
    )
  }
  return a === b
}

function json(value: Value): string {
  if (Array.isArray(value)) return `[${value.map(json).join()}]`
  if (typeof value === 'bigint') return value.toString()
  if (!isObject(value)) return JSON.stringify(value)
  const keys = Object.keys(value).sort((a, b) => byCodePoint([...a], [...b]))
  return `{${keys.map((key) => `${JSON.stringify(key)}:${json(value[key] as Value)}`).join()}}`
}

function byCodePoint(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((character, index) => character !== b[index])
  if (at < 0) return a.length - b.length
  return (a[at]?.codePointAt(0) ?? 0) - (b[at]?.codePointAt(0) ?? -1)
}

/** The generated expressions mean the same to the native engine, except for a flag and the meaning of a dot. */
function native(regex: string): RegExp {
  const insensitive = regex.startsWith('(?i)')
  return new RegExp(regex === '.' ? '[^\\n]' : regex.replace('(?i)', ''), insensitive ? 'iu' : 'u')
}

function isObject(value: Value): value is { readonly [key: string]: Value } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
