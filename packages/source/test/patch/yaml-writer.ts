/** Writes a value as YAML in random styles: indentation, quotes, comments, blank lines. */
import fc from 'fast-check'
import type { Value } from '../../src/index.ts'
import { writeYaml } from '../../src/index.ts'
import { text as anyText, record } from '../support.ts'

/** Draws a number from 0 up to, but not including, `below`. */
export type Draw = (below: number) => number

/** Numbers determined by a seed (mulberry32). */
export function draws(seed: number): Draw {
  let state = seed | 0
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

/** A text that reads as the value; every comment in it is different. */
export function writeFreely(value: Value, draw: Draw): string {
  let comments = 0
  const listsIndented = draw(2) === 0
  const unit = 2 + draw(3)
  const lineBreak = draw(4) === 0 ? '\r\n' : '\n'
  const comment = (): string => `# c${comments++} ${['x', ': y', '- z', '"', '{'][draw(5)]}`
  const trailing = (): string => (draw(4) === 0 ? `${' '.repeat(1 + draw(2))}${comment()}` : '')
  const above = (margin: string): string => {
    if (draw(4) !== 0) return draw(6) === 0 ? '\n' : ''
    return `${margin}${comment()}\n${draw(5) === 0 ? '\n' : ''}`
  }
  const quote = (text: string): string =>
    JSON.stringify(text).replace(
      /[\u007f-\u009f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]/g,
      (unit16) => `\\u${unit16.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
  const flow = (inner: Value): string => {
    if (Array.isArray(inner))
      return `[${inner.map(flow).join(draw(2) === 0 ? ', ' : ',')}${inner.length > 0 && draw(5) === 0 ? ',' : ''}]`
    if (typeof inner === 'object' && inner !== null) {
      return `{${Object.entries(inner)
        .map(([key, child]) => `${quote(key)}: ${flow(child)}`)
        .join(', ')}}`
    }
    return typeof inner === 'string' ? quote(inner) : writeYaml(inner).trim()
  }
  const scalar = (inner: Value, indent: number): string => {
    if (typeof inner === 'string' && draw(3) === 0) return `${quote(inner)}${trailing()}`
    if (typeof inner === 'string' && /^[a-z]+( [a-z]+)*\n?$/.test(inner) && draw(2) === 0) {
      return `|${inner.endsWith('\n') ? '' : '-'}${trailing()}\n${' '.repeat(indent)}${inner.trimEnd()}`
    }
    const text = typeof inner === 'string' && inner.includes('\n') ? quote(inner) : writeYaml(inner).trimEnd()
    return text.includes('\n') ? quote(String(inner)) : `${text}${trailing()}`
  }
  const isEmpty = (inner: object): boolean => Object.keys(inner).length === 0
  const block = (inner: Value, column: number): string => {
    const margin = ' '.repeat(column)
    if (Array.isArray(inner)) {
      return inner.map((item) => `${above(margin)}${margin}-${afterDash(item, column)}\n`).join('')
    }
    return Object.entries(inner ?? {})
      .map(([key, child]) => `${above(margin)}${margin}${keyOf(key)}:${afterKey(child, column)}\n`)
      .join('')
  }
  const keyOf = (key: string): string =>
    /^[a-z]{1,9}$/.test(key) && writeYaml({ [key]: 1 }).startsWith(`${key}:`) ? key : quote(key)
  const afterKey = (inner: Value, column: number): string => {
    if (typeof inner !== 'object' || inner === null) {
      return inner === null && draw(2) === 0 ? trailing() : ` ${scalar(inner, column + unit)}`
    }
    if (isEmpty(inner) || draw(5) === 0) return ` ${flow(inner)}${trailing()}`
    const indent = Array.isArray(inner) && !listsIndented ? column : column + unit
    return `${trailing()}\n${block(inner, indent)}`.replace(/\n$/, '')
  }
  const afterDash = (inner: Value, column: number): string => {
    if (typeof inner !== 'object' || inner === null) return ` ${scalar(inner, column + 2)}`
    if (isEmpty(inner) || draw(5) === 0) return ` ${flow(inner)}${trailing()}`
    const lines = block(inner, column + 2).replace(/\n$/, '')
    return lines.startsWith(' '.repeat(column + 2)) && !lines.trimStart().startsWith('#')
      ? ` ${lines.slice(column + 2)}`
      : `\n${lines}`
  }
  const whole =
    typeof value !== 'object' || value === null || isEmpty(value) || draw(8) === 0
      ? `${typeof value === 'object' ? flow(value) : scalar(value, 2)}\n`
      : block(value, 0)
  const marked = draw(6) === 0 ? `${above('')}---\n${whole}` : whole
  const text = draw(6) === 0 ? marked.replace(/\n$/, '') : marked
  return text.replaceAll('\n', lineBreak)
}

const word = fc.stringMatching(/^[a-z]{1,4}$/)
const leaf = fc.oneof(
  word,
  word,
  anyText,
  fc.constantFrom<Value>(null, true, 1, 2.5, 'two words', 'line\nline\n', 'a\n\n  b'),
)
/** Values as documents have them. */
export const tree: fc.Arbitrary<Value> = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(word, tie('value')), { maxLength: 4 }).map(record),
  ),
})).value
