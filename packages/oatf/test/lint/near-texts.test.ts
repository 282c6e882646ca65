import { suggestions } from '@joust/source'
import { expect, test } from 'vitest'
import { NearTexts } from '../../src/lint/near-texts.ts'

const texts = new NearTexts(['Send it to https://hooks-128.example/drop now.', 'Code: HERON-551'], suggestions())

test.each([
  ['hooks-128.example', true],
  ['heron-551', true],
  ['heron-552', false],
])('%s is in a text: %s', (literal, expected) => expect(texts.has(literal)).toBe(expected))

test.each<[string, string | undefined]>([
  // A letter replaced, lost, added, or swapped with the next one, anywhere.
  ['hooks-128.exanple', 'hooks-128.example'],
  ['ooks-128.example', 'hooks-128.example'],
  ['hooks-128.examples', 'hooks-128.example'],
  ['hooks-12.8example', 'hooks-128.example'],
  ['Code: heron-515', 'code: heron-551'],
  // Two letters, a part of a word, other punctuation, something else.
  ['hooks-128.exmaplee', undefined],
  ['heron-6', undefined],
  ['drap-now', undefined],
  ['heron_551', undefined],
  ['kestrel-551', undefined],
])('%s is near %s', (literal, passage) => expect(texts.nearest(literal)).toBe(passage))

test('a passage that fails the filter is skipped', () => {
  const two = new NearTexts(['heron-552 and heron-451'], suggestions())
  expect(two.nearest('heron-551')).toBe('heron-552')
  expect(two.nearest('heron-551', (passage) => passage !== 'heron-552')).toBe('heron-451')
})

test('a long text is searched in linear time', () => {
  const long = new NearTexts(['ab-12345'.repeat(100_000)], suggestions())
  const began = performance.now()
  expect(long.nearest('ab-12346')).toBeUndefined()
  expect(performance.now() - began).toBeLessThan(2000)
})
