import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { withLimits } from '../../src/model/limits.ts'
import { compileRegex, type Regex, regexSyntax } from '../../src/regex/regex.ts'

function compile(pattern: string): Regex {
  const compiled = compileRegex(pattern)
  if (!compiled.ok) expect.unreachable(compiled.error.message)
  return compiled.value
}

const value = <T>(result: { ok: true; value: T } | { ok: false; error: unknown }): T => {
  if (!result.ok) expect.unreachable(JSON.stringify(result.error))
  return result.value
}

describe('syntax', () => {
  test.each<[string, string]>([
    ['lookahead', 'a(?=b)'],
    ['negative lookahead', 'a(?!b)'],
    ['lookbehind', '(?<=a)b'],
    ['negative lookbehind', '(?<!a)b'],
    ['a backreference', '(a)\\1'],
    ['a named backreference', '(?P<n>a)(?P=n)'],
    ['possessive quantifiers', 'a++'],
    ['atomic groups', '(?>a)'],
    ['an unclosed group', '(a'],
    ['an unclosed class', '[a'],
    ['a bare quantifier', '*a'],
    ['a repetition without end', 'a{1001}'],
    ['\\C', '\\C'],
    ['a trailing backslash', 'a\\'],
    ['groups nested too deeply', '('.repeat(2000) + ')'.repeat(2000)],
  ])('refuses %s', (_, pattern) => {
    const refused = regexSyntax(pattern)
    expect(refused).toMatchObject({ ok: false, error: { message: expect.stringMatching(/./) } })
    expect(refused.ok || refused.error.limit).toBeUndefined()
    expect(compileRegex(pattern)).toEqual(refused)
  })

  test('reports the reason without naming the engine', () => {
    expect(regexSyntax('a(?=b)')).toEqual({
      ok: false,
      error: { message: 'invalid or unsupported Perl syntax: `(?=`' },
    })
  })

  test.each<[string, number]>([
    ['(?i)abc', 0],
    ['(?P<name>a)(?<other>b)(c)(?:d)', 3],
    ['\\A\\pL+[[:alpha:]]\\Q.*\\E\\z', 0],
    ['(?s).{0,1000}', 0],
    ['', 0],
    ['\\_(?P<1n>a)', 1],
  ])('accepts %j', (pattern, groupCount) => expect(regexSyntax(pattern)).toEqual({ ok: true, value: { groupCount } }))
})

describe('matching', () => {
  test('is partial', () => {
    const regex = compile('b+')
    expect([value(regex.test('abbc')), value(regex.test('ac'))]).toEqual([true, false])
    expect([value(regex.testWhole('bb')), value(regex.testWhole('abb'))]).toEqual([true, false])
    expect(regex.pattern).toBe('b+')
  })

  test.each<[string, string, [number, number] | undefined]>([
    ['b+', 'abbbc', [1, 4]],
    ['x*', 'abc', [0, 0]],
    ['z', 'abc', undefined],
    ['(?i)K', 'a\u212a', [1, 2]],
    ['.', '\u{1f600}a', [0, 2]],
    ['[a-z]', '\u{1f600}\u{1f600}a', [4, 5]],
    ['a', '\u{1f600}\u{1f600}a', [4, 5]],
    ['\u{1f600}', 'ab\u{1f600}', [2, 4]],
    ['(foo|foobar)', 'xfoobar', [1, 4]],
    ['(foobar|foo)', 'xfoobar', [1, 7]],
    ['b|a', 'ab', [0, 1]],
  ])('%j stands in %j at %j', (pattern, text, span) => {
    expect(value(compile(pattern).find(text))).toEqual(span && { start: span[0], end: span[1] })
  })

  test.each<[string, string, string | undefined]>([
    ['id=(\\d+)', 'x id=42 id=43', '42'],
    ['id=(\\d+)', 'none', undefined],
    ['no group', 'no group', undefined],
    ['(?:a)', 'a', undefined],
    ['(a)?b', 'b', undefined],
    ['(a*)b', 'b', ''],
    ['(a)|(b)', 'b', undefined],
    ['(?P<n>x.)', '\u{1f600}x\u{1f600}', 'x\u{1f600}'],
    ['(?:(a)|b)*', 'ab', 'a'],
    ['(abc|abd)', 'xabd', 'abd'],
    ['(a|)', 'b', ''],
  ])('%j captures from %j: %j', (pattern, text, expected) => {
    expect(compile(pattern).capture(text)).toEqual({ ok: true, value: expected })
  })

  test.each([
    ['a.', 'ab ac', 1, [3, 5]],
    ['a.', 'ab', 1, undefined],
    ['^a', 'aa', 1, undefined],
    ['\\bb', 'abb b', 1, [4, 5]],
    ['b|a', 'ab a', 2, [3, 4]],
    ['a*', 'a', 9, [1, 1]],
  ])('%j is found in %j from %d on', (pattern, text, from, span) => {
    expect(value(compile(pattern).find(text, from))).toEqual(span && { start: span[0], end: span[1] })
  })

  test('is linear', () => {
    const text = `${'a'.repeat(100_000)}b`
    const regex = compile('^(a+)+$')
    expect(value(regex.test(text))).toBe(false)
    expect(value(regex.find(text))).toBeUndefined()
    expect(value(regex.capture(text.slice(0, -1)))).toHaveLength(100_000)
  })

  test('never throws for any pattern and text', () => {
    const pattern = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.string({
        unit: fc.constantFrom(...'ab.*+?()[]{}|^$\\-:,0123PpLdsSwWQEzA<>=!i\u{1f600}\ud800'),
        maxLength: 20,
      }),
    )
    fc.assert(
      fc.property(pattern, fc.string({ unit: 'binary', maxLength: 30 }), (pattern, text) => {
        const compiled = compileRegex(pattern)
        if (!compiled.ok) return
        const { value: regex } = compiled
        const match = value(regex.find(text))
        expect(value(regex.test(text))).toBe(match !== undefined)
        if (value(regex.testWhole(text))) expect(match).toBeDefined()
        if (match === undefined) expect(value(regex.capture(text))).toBeUndefined()
        else expect(match.start <= match.end && match.end <= text.length).toBe(true)
      }),
      { numRuns: 3000 },
    )
  })
})

describe('limits', () => {
  test('the pattern', () => {
    expect(compileRegex('a'.repeat(4096), withLimits({ regexProgram: 5000 })).ok).toBe(true)
    for (const refuse of [compileRegex, regexSyntax]) {
      expect(refuse('a'.repeat(4097))).toMatchObject({
        ok: false,
        error: {
          message: 'the regular expression is over the limit regexPattern = 4096 (4097)',
          limit: { limit: 'regexPattern', maximum: 4096 },
        },
      })
      expect(refuse('abc', withLimits({ regexPattern: 2 }))).toMatchObject({ error: { limit: { maximum: 2 } } })
    }
  })

  test.each([regexSyntax, compileRegex])('the program: %o', (refuse) => {
    const pattern = '(?:\\pL{1000})'.repeat(100)
    expect(refuse(pattern)).toMatchObject({
      ok: false,
      error: {
        message: 'the regular expression is over the limit regexProgram = 2000 (100002)',
        limit: { limit: 'regexProgram', maximum: 2000 },
      },
    })
    expect(compileRegex('abcdef', withLimits({ regexProgram: 3 })).ok).toBe(false)
  })

  test.each(['a[b-c]', 'literal', '(literal)'])('the work, in every method: %s', (pattern) => {
    const compiled = compileRegex(pattern, withLimits({ regexWork: 1000 }))
    if (!compiled.ok) expect.unreachable()
    const { value: regex } = compiled
    const long = 'x'.repeat(1000)
    const over = { ok: false, error: { limit: 'regexWork', maximum: 1000 } }
    expect(regex.test(long)).toMatchObject(over)
    expect(regex.testWhole(long)).toMatchObject(over)
    expect(regex.find(long)).toMatchObject(over)
    if (regex.groupCount > 0) expect(regex.capture(long)).toMatchObject(over)
    expect(regex.test('x')).toEqual({ ok: true, value: false })
  })
})
