import { expect, test } from 'vitest'
import { plainText, textPieces } from '../../src/components/text.tsx'

test('control and invisible characters are escaped', () => {
  expect(plainText('a\u202eb\u001b[31m\u0000\u200b\u2066')).toBe('a\\u202eb\\u001b[31m\\u0000\\u200b\\u2066')
  expect(textPieces('\u202e')).toEqual([{ text: '\\u202e', hidden: 'U+202E RIGHT-TO-LEFT OVERRIDE' }])
  const tags = [...'hi'].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('')
  expect(textPieces(tags)[0]?.hidden).toBe('hidden text: hi')
  expect(plainText('tab\tand\nline, ünïcode, 日本語')).toBe('tab\tand\nline, ünïcode, 日本語')
})
