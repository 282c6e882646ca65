import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { didYouMean, messageWithHint, suggest, suggestion, suggestions } from '../../src/text/suggest.ts'

const fields = ['indicators', 'execution', 'grace_period', 'name', 'id', 'mode', 'severity']

describe('suggest', () => {
  test.each<[string, string | undefined]>([
    ['indicator', 'indicators'],
    ['indicatros', 'indicators'],
    ['excution', 'execution'],
    ['gracePeriod', 'grace_period'],
    ['grace-period', 'grace_period'],
    ['GRACE PERIOD', 'grace_period'],
    ['nmae', 'name'],
    ['sevrity', 'severity'],
    ['ID', 'id'],
    ['di', 'id'],
    ['mod', 'mode'],
    ['name', undefined],
    // A whole part of just one.
    ['period', 'grace_period'],
    ['Grace', 'grace_period'],
    ['completely_else', undefined],
    ['x', undefined],
    ['', undefined],
    ['i'.repeat(65), undefined],
  ])('%j means %j', (word, expected) => expect(suggest(word, fields)).toBe(expected))

  test('chooses the closest candidate, and the first of equal ones', () => {
    expect(suggest('moda', ['mods', 'mode', 'model'])).toBe('mods')
    expect(suggest('models', ['mode', 'model'])).toBe('model')
  })

  test('has no suggestion for a word that is a candidate', () => {
    expect(suggest('a_b', ['ab', 'a_b'])).toBeUndefined()
  })

  test('matches a part only if one candidate has it and edits are not limited', () => {
    expect(suggest('breach', ['ingested', 'boundary_breach'])).toBe('boundary_breach')
    expect(suggest('breach', ['boundary_breach', 'data_breach'])).toBeUndefined()
    expect(suggest('each', ['boundary_breach'])).toBeUndefined()
    expect(suggest('breach', ['boundary_breach'], 2)).toBeUndefined()
    expect(suggest('log', ['open_log'])).toBeUndefined()
  })

  test('ignores very long candidates, and works without candidates', () => {
    expect(suggest('mode', ['m'.repeat(1000), 'modes'])).toBe('modes')
    expect(suggest('mode', [])).toBeUndefined()
  })
})

test('suggests exactly the candidates within the distance', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), maxLength: 10 })
  fc.assert(
    fc.property(word, word, (word, candidate) => {
      const most = Math.min(Math.max(1, Math.floor(word.length / 3)), word.length - 1)
      const near = word !== '' && word !== candidate && editDistance(word, candidate) <= most
      expect(suggest(word, [candidate])).toBe(near ? candidate : undefined)
    }),
    { numRuns: 3000 },
  )
})

test('considers candidates of up to 64 characters', () => {
  const word = 'a'.repeat(62)
  expect(suggest(word, ['b'.repeat(3) + 'a'.repeat(61)])).toBe(`bbb${'a'.repeat(61)}`)
  expect(suggest(word, ['b'.repeat(4) + 'a'.repeat(61)])).toBeUndefined()
  expect(suggest('a'.repeat(64), ['a'.repeat(63)])).toBe('a'.repeat(63))
})

test('a suggestion is a field of a diagnostic, or empty', () => {
  expect(suggestion('key', 'name')).toEqual({ suggestion: { replace: 'key', with: 'name' } })
  expect(suggestion('value', '{{a}}', '{{b}}')).toEqual({
    suggestion: { replace: 'value', part: '{{b}}', with: '{{a}}' },
  })
  expect(suggestion('key', undefined, 'x')).toEqual({})
})

test.each(['unknown field', 'unknown field.'])('appends the suggestion to %j', (message) => {
  expect(messageWithHint({ message, ...suggestion('key', 'name') })).toBe('unknown field. Did you mean "name"?')
  expect(messageWithHint({ message })).toBe(message)
})

test('didYouMean is a sentence or empty', () => {
  expect(didYouMean('nmae', fields)).toBe(' Did you mean "name"?')
  expect(didYouMean('zzz', fields)).toBe('')
})

/** Insertions, deletions, replacements and swaps of neighbours, counted the slow and obvious way. */
function editDistance(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length
  if (a[0] === b[0]) return editDistance(a.slice(1), b.slice(1))
  const swap = a.length > 1 && a[0] === b[1] && a[1] === b[0] ? editDistance(a.slice(2), b.slice(2)) : 99
  if (Math.abs(a.length - b.length) > 4) return 99
  return (
    1 + Math.min(editDistance(a.slice(1), b), editDistance(a, b.slice(1)), editDistance(a.slice(1), b.slice(1)), swap)
  )
}

test('suggests the most likely name', () => {
  expect(suggestions()('tolo', new Set(['tool', 'prompt']))).toBe('tool')
  expect(suggestions()('something', new Set(['tool', 'prompt']))).toBeUndefined()
})

test('stops after many comparisons, and starts again for the next run', () => {
  const names = new Set(Array.from({ length: 15_000 }, (_, index) => `name_${index}`))
  const hint = suggestions()
  expect(hint('name_1x', names)).toBeDefined()
  expect(hint('name_1x', names)).toBeUndefined()
  expect(suggestions()('name_1x', names)).toBeDefined()
})
