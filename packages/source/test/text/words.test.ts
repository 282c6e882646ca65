import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { count, shellWord } from '../../src/text/words.ts'

test.each([
  [0, 'attack', undefined, '0 attacks'],
  [1, 'attack', undefined, '1 attack'],
  [2, 'reply', 'replies', '2 replies'],
])('%i %s', (number, noun, plural, text) => expect(count(number, noun, plural)).toBe(text))

test.each([
  ['mcp=http://127.0.0.1:7000/', 'mcp=http://127.0.0.1:7000/'],
  ['a b', "'a b'"],
  ["it's", "'it'\\''s'"],
  ['$HOME', "'$HOME'"],
  ['', "''"],
])('%j is written %s', (word, written) => {
  expect(shellWord(word)).toBe(written)
  expect(execFileSync('sh', ['-c', `printf %s ${written}`], { encoding: 'utf8' })).toBe(word)
})
