import { defaultLimits } from '@joust/source'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { matchCondition } from '../../src/conditions/match-condition.ts'
import { compilePattern } from '../../src/model/pattern.ts'
import { compileSchema } from '../../src/schema/check-schema.ts'

function matches(pattern: string, text: string): boolean {
  const compiled = compilePattern(pattern)
  if (!compiled.ok) throw new Error(compiled.error.message)
  const tested = compiled.value.test(text)
  if (!tested.ok) throw new Error(tested.error.message)
  return tested.value
}

const patterns = [
  ...['^\\S+$', '^\\s+$', '^[\\s]$', '^[^\\s]$', '^[\\S]$', '^[^\\S]$', '^[a\\s-]+$', '^[\\S\\s]$', '^[^\\S\\n]$'],
  ...['^\\\\s$', '^[\\]\\s]$', 'a\\sb', '^\\[\\s\\]$', '^(?:\\s|x){2}$', '^[\\\\s]$', '^\\S{1,3}\\s*$'],
]

describe('white space', () => {
  test.each(patterns)('%s matches as in ECMA-262', (pattern) => {
    const ecma = new RegExp(pattern, 'u')
    for (let code = 0; code <= 0x1_00_00; code += code < 0x3100 || code > 0xfd00 ? 1 : 97) {
      if (code >= 0xd800 && code <= 0xdfff) continue
      const character = String.fromCodePoint(code)
      for (const text of [character, `a${character}b`]) {
        if (matches(pattern, text) !== ecma.test(text)) expect.fail(`${pattern} on U+${code.toString(16)}`)
      }
    }
  })

  test('matches the same in any text', () => {
    const letter = fc.constantFrom('a', 's', '\u00a0', '\ufeff', '\u2028', ' ', '\n', '\v', '\u180e', '\\', '[', ']')
    fc.assert(
      fc.property(fc.constantFrom(...patterns), fc.string({ unit: letter, maxLength: 6 }), (pattern, text) => {
        expect(matches(pattern, text)).toBe(new RegExp(pattern, 'u').test(text))
      }),
    )
  })

  test('is unchanged in RE2 quotations', () => {
    expect(matches('^\\Q\\s\\E$', '\\s')).toBe(true)
    expect(matches('^[[:alpha:]\\s]+$', 'a\u00a0')).toBe(true)
    expect(matches('^[]\\s]+$', ']\u00a0')).toBe(true)
  })

  test('is the same in schemas and conditions', () => {
    const validate = compileSchema({ pattern: '^\\S+$', patternProperties: { '\\s': false } })
    if (!validate.ok) throw new Error('a schema')
    expect(validate.value('a\u00a0b').ok).toBe(false)
    expect(validate.value('ab').ok).toBe(true)
    expect(validate.value({ 'a\u2003b': 1 }).ok).toBe(false)
    const condition = { args_match: { x: { pattern: '^\\S+$' } } }
    expect(matchCondition(condition, () => 'a\u00a0b').matched).toBe(false)
  })
})

test('the length limit applies to the original pattern', () => {
  const limits = { ...defaultLimits, regexPattern: 10 }
  expect(compilePattern('\\s\\s\\s\\s\\s', limits).ok).toBe(true)
  expect(compilePattern('\\s\\s\\s\\s\\s\\s', limits).ok).toBe(false)
})
