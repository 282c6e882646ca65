import { messageWithHint } from '@joust/source'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parsePathExpression } from '../../src/paths/path-expression.ts'

const NO_SELECTION = 'a path cannot select an element'

describe('the examples of the Path Expression Reference', () => {
  test.each([
    ['parent.input.query', 'parent', 'input', ['query']],
    ['researcher.output.findings', 'researcher', 'output', ['findings']],
    ['parent.input.items.[].value', 'parent', 'input', ['items', '[]', 'value']],
    ['quality_checker.output.score', 'quality_checker', 'output', ['score']],
    ['parent.input.config.nested.key', 'parent', 'input', ['config', 'nested', 'key']],
    ['parent.input.items.[].name', 'parent', 'input', ['items', '[]', 'name']],
    ['parent.input.prices.[].amount', 'parent', 'input', ['prices', '[]', 'amount']],
  ])('%s', (text, source, direction, segments) => {
    expect(parsePathExpression(text)).toEqual({ ok: true, value: { source, direction, segments, text } })
  })

  test.each([
    ['query', true],
    ['data_source', true],
    ['myField2', true],
    ['foo.bar', true], // Two fields, not one with a dot in its name.
    ['my-field', false],
    ['user name', false],
  ])('the property name %s can be referenced: %s', (name, referenceable) => {
    expect(parsePathExpression(`parent.input.${name}`).ok).toBe(referenceable)
  })

  test('P-07: nested iteration is refused', () => {
    const nested = parsePathExpression('parent.input.matrix.[].rows.[].value')
    expect(nested).toMatchObject({ ok: false, error: { code: 'invalid_path_expression', rule: 'P-07', column: 29 } })
  })
})

describe('P-01: the grammar', () => {
  test.each(['parent.input.a', '_.output._', 'A9.input.B8.[]', 'parent.input.a.[].b.c', 'input.output.input'])(
    'takes %s',
    (text) => {
      expect(parsePathExpression(text).ok).toBe(true)
    },
  )

  test.each([
    ['', 1, 'empty path expression'],
    ['parent', 7, 'has only a source'],
    ['parent.input', 13, 'has no field'],
    ['researcher.output', 18, 'has no field'],
    ['parent.query', 8, 'expected "input" or "output", got "query"'],
    ['parent.inptu.x', 8, 'Did you mean "input"?'],
    ['parent.input.', 14, 'empty segment'],
    ['parent.input..x', 14, 'empty segment'],
    ['.input.x', 1, 'empty segment'],
    ['parent.input.[].x', 14, '"[]" cannot iterate over the root'],
    ['parent.input.items[]', 14, 'write "items.[]"'],
    ['parent.input.items[0]', 14, NO_SELECTION],
    ['parent.input.items.0', 20, NO_SELECTION],
    ['parent.input.items.*', 20, NO_SELECTION],
    ['parent.input.9a', 14, 'invalid name "9a"'],
    ['9.input.x', 1, NO_SELECTION],
    [' parent.input.x', 1, 'invalid name " parent"'],
    ['parent.input.x\n', 14, 'invalid name'],
    ['parent.input.größe', 14, 'invalid name'],
    ["parent.input.'x'", 14, 'invalid name'],
    ['parent.Input.x', 8, 'Did you mean "input"?'],
  ])('refuses %j at column %i', (text, column, message) => {
    const read = parsePathExpression(text)
    expect(read).toMatchObject({
      ok: false,
      error: { severity: 'error', code: 'invalid_path_expression', rule: 'P-01', column },
    })
    expect(read.ok ? '' : messageWithHint(read.error)).toContain(message)
  })
})

/** The grammar character by character, and at most one "[]". */
function recognises(text: string): boolean {
  const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_'
  const isName = (word: string) =>
    word !== '' &&
    [...word].every(
      (character, index) => letters.includes(character) || (index > 0 && '0123456789'.includes(character)),
    )
  const words = text.split('.')
  const [source = '', direction = '', first = '', ...rest] = words
  const iterations = words.filter((word) => word === '[]').length
  return (
    isName(source) &&
    ['input', 'output'].includes(direction) &&
    isName(first) &&
    rest.every((word) => word === '[]' || isName(word)) &&
    iterations <= 1
  )
}

test('agrees with a naive recogniser on near misses and on any text', () => {
  const word = fc.constantFrom(
    'parent',
    'input',
    'output',
    'a',
    'B_2',
    '[]',
    '',
    '0',
    'a-b',
    'x[]',
    '*',
    ' ',
    'é',
    '9z',
  )
  const near = fc.array(word, { maxLength: 7 }).map((words) => words.join('.'))
  const likely = fc
    .tuple(
      fc.constantFrom('input', 'output'),
      fc.array(fc.constantFrom('a', 'b1', '[]'), { minLength: 1, maxLength: 5 }),
    )
    .map(([direction, words]) => ['parent', direction, ...words].join('.'))
  fc.assert(
    fc.property(
      fc.oneof(near, likely, fc.string(), fc.string({ unit: 'binary' })),
      (text) => parsePathExpression(text).ok === recognises(text),
    ),
    { numRuns: 1000 },
  )
})

test('a long text is refused without delay', () => {
  expect(parsePathExpression(`parent.input.${'a'.repeat(1_000_000)}-`).ok).toBe(false)
  expect(parsePathExpression(`parent.input${'.a'.repeat(500_000)}`).ok).toBe(true)
})
