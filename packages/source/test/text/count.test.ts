import { expect, test } from 'vitest'
import { count } from '../../src/text/count.ts'

test.each([
  [0, 'attack', undefined, '0 attacks'],
  [1, 'attack', undefined, '1 attack'],
  [2, 'reply', 'replies', '2 replies'],
])('%i %s', (number, noun, plural, text) => expect(count(number, noun, plural)).toBe(text))
