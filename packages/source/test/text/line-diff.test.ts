import fc from 'fast-check'
import { expect, test } from 'vitest'
import { editText, unifiedDiff } from '../../src/index.ts'
import { lineEdits } from '../../src/text/line-diff.ts'

const lines = (from: number, to: number): string => {
  return Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}\n`).join('')
}

test('equal texts have no diff', () => {
  expect(unifiedDiff(lines(1, 3), lines(1, 3), 'a')).toBe('')
})

test('a change has three lines of context', () => {
  const after = lines(1, 20).replace('line 9\n', 'nine\n')
  expect(unifiedDiff(lines(1, 20), after, 'a.yaml')).toBe(
    '--- a.yaml\n+++ a.yaml\n@@ -6,7 +6,7 @@\n line 6\n line 7\n line 8\n-line 9\n+nine\n line 10\n line 11\n line 12\n',
  )
})

test('only nearby changes share a hunk', () => {
  const near = lines(1, 20).replace('line 5\n', 'five\n').replace('line 11\n', 'eleven\n')
  expect(unifiedDiff(lines(1, 20), near, 'a').match(/^@@.*/gm)).toEqual(['@@ -2,13 +2,13 @@'])
  const far = lines(1, 20).replace('line 5\n', '').replace('line 13\n', 'a\nb\n')
  expect(unifiedDiff(lines(1, 20), far, 'a').match(/^@@.*/gm)).toEqual(['@@ -2,7 +2,6 @@', '@@ -10,7 +9,8 @@'])
})

test('changes at the start and the end', () => {
  expect(unifiedDiff('', 'a\n', 'x')).toBe('--- x\n+++ x\n@@ -0,0 +1,1 @@\n+a\n')
  expect(unifiedDiff('a\n', '', 'x')).toBe('--- x\n+++ x\n@@ -1,1 +0,0 @@\n-a\n')
  expect(unifiedDiff('a', 'a\n', 'x')).toBe('--- x\n+++ x\n@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a\n')
})

test('line edits turn one text into the other', () => {
  const text = fc.array(fc.constantFrom('a\n', 'b\n', 'c\r\n', '\n', 'd'), { maxLength: 30 }).map((all) => all.join(''))
  fc.assert(
    fc.property(text, text, (before, after) => {
      expect(editText(before, lineEdits(before, after))).toBe(after)
    }),
  )
})

test('texts with nothing in common are fast', () => {
  const edits = lineEdits(lines(1, 30_000), lines(100_001, 130_000))
  expect(edits).toHaveLength(1)
})
