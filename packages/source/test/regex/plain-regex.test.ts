import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { withLimits } from '../../src/model/limits.ts'
import { plainGroupCount } from '../../src/regex/plain-regex.ts'
import { compileRegex } from '../../src/regex/regex.ts'

describe('plainGroupCount', () => {
  test.each([
    ['', 0],
    ['plain text', 0],
    ['(id_rsa|passwd|\\.env)', 1],
    ['^/(etc|home)/', 1],
    ['key=([a-z0-9]+)', 1],
    ['(?i)\\bignore\\s+(?:all\\s+)?(previous|prior)\\b', 1],
    ['[A-Za-z0-9._%+-]+@[\\w.-]+\\.[a-z]{2,6}', 0],
    ['((a)|b){2,3}?$', 2],
    ['[^"\\]]*', 0],
    ['|()', 1],
  ])('%j', (pattern, groups) => expect(plainGroupCount(pattern)).toBe(groups))

  test.each([
    'a**',
    '*a',
    '(?i)*',
    '(*a)',
    'a|+',
    'a{2,1}',
    'a{2,0}',
    '(a{50}){50}',
    'a{1001}',
    '(a',
    'a)',
    '[z-a]',
    '[]',
    '[a',
    'a\\',
    '\\1',
    '\\q',
    '(?=a)',
    '(?P<n>a)(?P<n>b)',
    '(?x)',
    '\\pN',
    '[[:alpha:]]',
    '\ud800',
    '('.repeat(2000) + ')'.repeat(2000),
  ])('nothing about %j', (pattern) => expect(plainGroupCount(pattern)).toBeUndefined())
})

test('is never wrong', () => {
  const limits = withLimits({ regexPattern: 1e6, regexProgram: 1e6 })
  const pieces = [
    'a',
    'é',
    '-',
    ',',
    '}',
    ']',
    '^',
    '$',
    '.',
    '|',
    '?',
    '*',
    '+',
    '(',
    ')',
    '[',
    '{',
    '\\',
    '{2}',
    '{3,}',
  ]
  const tokens = [
    '{0}',
    '{2,0}',
    '{0,9}',
    '{40,50}',
    '(?:',
    '(?i)',
    '(?ims:',
    '(?',
    '[^',
    'a-z',
    '0-9',
    '\\d',
    '\\b',
    '\\-',
    '\\]',
    '[a-',
    '-]',
  ]
  const piece = fc.constantFrom(...pieces, ...tokens, '\\w', '\\_', '\\/', '\\n', '\u2028', '\n', ' ', '&', '[:')
  let known = 0
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (parts) => {
      const pattern = parts.join('')
      const groupCount = plainGroupCount(pattern)
      if (groupCount === undefined) return
      known++
      expect(compileRegex(pattern, limits)).toMatchObject({ ok: true, value: { groupCount } })
    }),
    { numRuns: 5000 },
  )
  expect(known).toBeGreaterThan(100)
})
