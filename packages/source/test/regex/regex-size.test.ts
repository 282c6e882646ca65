import fc from 'fast-check'
import { RE2JS } from 're2js'
import { describe, expect, test } from 'vitest'
import { compileRegex } from '../../src/regex/regex.ts'
import { leastProgramSize } from '../../src/regex/regex-size.ts'

describe('leastProgramSize', () => {
  // In addition to the two instructions that every program has.
  test.each([
    ['abc', 3],
    ['a|bc', 2],
    ['(?:ab){10}', 20],
    ['(?P<n>\\pL{2,30})', 30],
    ['((a{10}){10}){10}', 1000],
    ['a{3,}', 3],
    ['a{0}', 0],
    ['[]\\]a-z[:alpha:]]{7}', 7],
    ['(?i)^a$\\b', 1],
    ['\\x{1F600}{5}', 5],
    ['a{2', 3],
  ])('%s', (pattern, size) => {
    expect(leastProgramSize(pattern)).toBe(2 + size)
  })

  test('a pattern that would take seconds to compile is refused at once', () => {
    const result = compileRegex('(\\pL{0,1000})'.repeat(300))
    expect(result.ok ? undefined : result.error.limit?.limit).toBe('regexProgram')
  })

  test('is never more than the compiled size', () => {
    const piece = fc.constantFrom(
      ...[
        'a',
        'b',
        '.',
        '[ab]',
        '[^]x]',
        '\\d',
        '\\pL',
        '\\.',
        '\\b',
        '^',
        '$',
        '|',
        '(',
        ')',
        '(?:',
        '(?i)',
        '(?P<x>',
      ],
      ...[
        '*',
        '+',
        '?',
        '{2}',
        '{0}',
        '{0,3}',
        '{2,}',
        '{',
        '}',
        '\\Qa.b\\E',
        'abc|abd',
        '\\x41',
        '\\101',
        '[[:^alpha:]]',
      ],
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        const pattern = pieces.join('')
        const compiled = compiledSize(pattern)
        fc.pre(compiled !== undefined)
        expect(leastProgramSize(pattern)).toBeLessThanOrEqual(compiled ?? 0)
      }),
      { numRuns: 2000, maxSkipsPerRun: 1000 },
    )
  })
})

function compiledSize(pattern: string): number | undefined {
  try {
    return RE2JS.compile(pattern).programSize()
  } catch {
    return undefined
  }
}
