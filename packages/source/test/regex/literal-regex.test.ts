import fc from 'fast-check'
import { RE2JS } from 're2js'
import { describe, expect, test } from 'vitest'
import { findLiteral, literalAlternatives } from '../../src/regex/literal-regex.ts'
import { compileRegex } from '../../src/regex/regex.ts'

describe('literalAlternatives', () => {
  test.each<[string, string[]]>([
    ['abc', ['abc']],
    ['', ['']],
    ['a|b|', ['a', 'b', '']],
    ['(id_rsa|\\.ssh|passwd)', ['id_rsa', '.ssh', 'passwd']],
    ['(?:a|b)', ['a', 'b']],
    ['()', ['']],
    ['\\(a\\|b\\)', ['(a|b)']],
    ['a\\\\b', ['a\\b']],
    ['\\_\\-\\/\\#\\"\\@', ['_-/#"@']],
    ['é한 \n', ['é한 \n']],
  ])('%j', (pattern, expected) => expect(literalAlternatives(pattern)).toEqual(expected))

  test.each([
    ...['a.b', 'a*', 'a+', 'a?', '[a]', 'a{2}', '^a', 'a$', '\\d', '\\n', '\\bx', '\\Qa\\E', '\\1', '\\pL'],
    ...['(?i)a', '(?P<n>a)', '(?<n>a)', '(a)(b)', '(a)|(b)', '((a))', 'a(b)', '(a)b', 'a]', 'a}', '\u{1f600}', '\\ a'],
  ])('leaves %j to the engine', (pattern) => expect(literalAlternatives(pattern)).toBeUndefined())
})

test('findLiteral returns the leftmost match, and there the first alternative', () => {
  expect(findLiteral(['b', 'ab', 'a'], 'xab')).toEqual({ start: 1, end: 3 })
  expect(findLiteral(['a', 'ab'], 'xab')).toEqual({ start: 1, end: 2 })
  expect(findLiteral(['b', ''], 'ab')).toEqual({ start: 0, end: 0 })
  expect(findLiteral(['z'], 'ab')).toBeUndefined()
})

describe('the fast path and the engine agree', () => {
  const character = fc.constantFrom(
    ...[
      'a',
      'b',
      'c',
      'é',
      '한',
      ' ',
      '\n',
      '-',
      '_',
      '/',
      '#',
      '"',
      '@',
      '~',
      '`',
      ',',
      '\\.',
      '\\*',
      '\\|',
      '\\(',
      '\\)',
    ],
    ...[
      '\\\\',
      '\\[',
      '\\]',
      '\\{',
      '\\}',
      '\\^',
      '\\$',
      '\\+',
      '\\?',
      '\\-',
      '\\_',
      '\\/',
      '\\#',
      '\\"',
      '\\@',
      '\\~',
      '\\`',
      '\\,',
    ],
  )
  const alternative = fc.array(character, { maxLength: 3 }).map((characters) => characters.join(''))
  const pattern = fc
    .tuple(fc.array(alternative, { minLength: 1, maxLength: 4 }), fc.constantFrom(['', ''], ['(', ')'], ['(?:', ')']))
    .map(([alternatives, [open, close]]) => `${open}${alternatives.join('|')}${close}`)
  const noise = fc.string({
    unit: fc.constantFrom('a', 'b', 'c', '.', '\\', '|', '(', 'é', '\u{1f600}', '\ud83d', '\n'),
    maxLength: 6,
  })
  /** Texts that are likely to match: parts of the pattern between noise. */
  const trial = pattern.chain((pattern) => {
    const pieces = literalAlternatives(pattern) ?? []
    const piece = fc.oneof(noise, fc.constantFrom('', ...pieces))
    return fc.tuple(
      fc.constant(pattern),
      fc.array(piece, { maxLength: 4 }).map((parts) => parts.join('')),
    )
  })

  test('on test, testWhole, find and capture', () => {
    let matches = 0
    fc.assert(
      fc.property(trial, ([pattern, text]) => {
        expect(literalAlternatives(pattern)).toBeDefined()
        const compiled = compileRegex(pattern)
        if (!compiled.ok) expect.unreachable(compiled.error.message)
        const { value: regex } = compiled
        const engine = RE2JS.compile(pattern)
        const matcher = engine.matcher(text)
        const hasMatch = matcher.find()
        if (hasMatch) matches++
        const span = hasMatch ? { start: matcher.start(), end: matcher.end() } : undefined
        const group = hasMatch && engine.groupCount() > 0 ? (matcher.group(1) ?? undefined) : undefined
        expect({
          test: regex.test(text),
          whole: regex.testWhole(text),
          find: regex.find(text),
          capture: regex.capture(text),
        }).toEqual({
          test: { ok: true, value: engine.test(text) },
          whole: { ok: true, value: engine.testExact(text) },
          find: { ok: true, value: span },
          capture: { ok: true, value: group },
        })
      }),
      { numRuns: 5000 },
    )
    // Without matches the property would prove little.
    expect(matches).toBeGreaterThan(1000)
  })

  test('escaped ASCII punctuation is literal', () => {
    for (let unit = 0x21; unit < 0x7f; unit++) {
      const character = String.fromCharCode(unit)
      if (/[0-9A-Za-z]/.test(character)) continue
      expect(literalAlternatives(`\\${character}`)).toEqual([character])
      expect(RE2JS.compile(`\\${character}`).testExact(character)).toBe(true)
    }
  })
})
