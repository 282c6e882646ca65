import { defaultLimits, type Span, withLimits } from '@joust/source'
import { describe, expect, test } from 'vitest'
import { describeMatch, evidenceOf } from '../../src/evaluate/evidence.ts'
import { oatfLimits } from '../../src/model/limits.ts'
import { deepList } from '../deep-value.ts'

const shown = (text: string, span?: Span) => describeMatch(['a'], text, defaultLimits, () => span)
const filler = (length: number) => '-'.repeat(length)

describe('describeMatch', () => {
  test('a short text stays whole', () => {
    expect(shown('some text', { start: 5, end: 9 })).toEqual({
      path: 'a',
      value: 'some text',
      span: { start: 5, end: 9 },
    })
    expect(shown('some text')).toEqual({ path: 'a', value: 'some text' })
  })

  test('the path has indices, and the root none', () => {
    expect(describeMatch(['tools', 2, 'description'], 'x', defaultLimits)).toEqual({
      path: 'tools[2].description',
      value: 'x',
    })
    expect(describeMatch([], 'x', defaultLimits)).toEqual({ path: '', value: 'x' })
  })

  test('anything but a string is shown as the operators saw it', () => {
    expect(describeMatch(['a'], { b: 1, a: [true] }, defaultLimits).value).toBe('{"a":[true],"b":1}')
  })

  test('a value nested too deeply to write is omitted, within the limits of the evaluation', () => {
    expect(describeMatch(['a'], deepList(100_000), defaultLimits)).toEqual({ path: 'a', value: '' })
    expect(describeMatch(['a'], deepList(600), withLimits({ compactJsonDepth: 600 })).value).toBe('['.repeat(500))
  })

  test('a text as long as the bound is not cut', () => {
    expect(shown(filler(oatfLimits.evidence), { start: 0, end: 1 })).not.toHaveProperty('offset')
    expect(shown(filler(oatfLimits.evidence)).value).toHaveLength(oatfLimits.evidence)
  })

  test('a long text without a span is cut at its end', () => {
    expect(shown(`head${filler(5000)}`)).toEqual({ path: 'a', value: `head${filler(oatfLimits.evidence - 4)}` })
  })

  // The span is always inside the excerpt, and `offset` is its position in the whole text.
  test.each([
    ['at the start', '', 'needle', filler(5000)],
    ['near the start', filler(100), 'needle', filler(5000)],
    ['in the middle', filler(3000), 'needle', filler(3000)],
    ['near the end', filler(5000), 'needle', filler(100)],
    ['at the end', filler(5000), 'needle', ''],
    ['an empty one', filler(3000), '', filler(3000)],
    ['as long as the bound', filler(3000), 'n'.repeat(oatfLimits.evidence), filler(3000)],
  ])('a span %s', (_, before, needle, after) => {
    const whole = before + needle + after
    const span = { start: before.length, end: before.length + needle.length }
    const { value, span: cut = { start: -1, end: -1 }, offset = 0 } = shown(whole, span)
    expect(value).toHaveLength(oatfLimits.evidence)
    expect(value.slice(cut.start, cut.end)).toBe(needle)
    expect(offset + cut.start).toBe(span.start)
    expect(whole.slice(offset, offset + value.length)).toBe(value)
  })

  test('a span longer than the bound is cut with the text', () => {
    const { value, span, offset } = shown(filler(200) + 'n'.repeat(2000), { start: 200, end: 2200 })
    expect(value).toBe('n'.repeat(oatfLimits.evidence))
    expect(span).toEqual({ start: 0, end: oatfLimits.evidence })
    expect(offset).toBe(200)
  })

  test('there is no offset when nothing is cut in front', () => {
    expect(shown(`needle${filler(5000)}`, { start: 0, end: 6 })).not.toHaveProperty('offset')
  })
})

test.each([
  [{ path: 'a.b', value: 'x' }, 'a.b: x'],
  [{ path: '', value: 'x' }, 'x'],
])('evidenceOf(%j)', (match, expected) => {
  expect(evidenceOf(match)).toBe(expected)
})
