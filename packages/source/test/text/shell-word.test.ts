import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { shellWord } from '../../src/text/shell-word.ts'

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
