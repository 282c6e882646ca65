import { describe, expect, test } from 'vitest'
import { didYouMean, suggest } from '../src/suggest.ts'

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
    ['completely_else', undefined],
    ['x', undefined],
    ['', undefined],
    ['i'.repeat(65), undefined],
  ])('%j means %j', (word, expected) => expect(suggest(word, fields)).toBe(expected))

  test('takes the nearest, and of equals the first', () => {
    expect(suggest('moda', ['mods', 'mode', 'model'])).toBe('mods')
    expect(suggest('models', ['mode', 'model'])).toBe('model')
  })

  test('has nothing to say about a word that is a candidate', () => {
    expect(suggest('a_b', ['ab', 'a_b'])).toBeUndefined()
  })

  test('passes over candidates without end, and does without candidates', () => {
    expect(suggest('mode', ['m'.repeat(1000), 'modes'])).toBe('modes')
    expect(suggest('mode', [])).toBeUndefined()
  })
})

test('didYouMean makes a sentence or nothing', () => {
  expect(didYouMean('nmae', fields)).toBe(' Did you mean "name"?')
  expect(didYouMean('zzz', fields)).toBe('')
})
