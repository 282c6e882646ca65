import { describe, expect, test } from 'vitest'
import { refusal } from '../support.ts'

const WRONG_TAG = 'the value does not match its tag tag:yaml.org,2002'
const NOT_SCALAR = 'a mapping key must be a scalar'
const OUTDENTED = 'is not closed: line 2 is not indented enough to be inside it'
const quotesFor = (start: string) => `a value that starts with ${start} needs quotes`
const INDENTED = 'this key is indented more than its siblings, or the line above lacks ": " after its key'
const NOT_FINITE = 'numbers must be finite: JSON has no .inf or .nan'

describe('templates without quotes', () => {
  test.each<[string, number, number]>([
    ['key: {{x}}', 1, 6],
    ['a: 1\nkey:   {{x}}\n', 2, 8],
    ['- {{x}}', 1, 3],
    ['{{x}}', 1, 1],
    ['a: [{{x}}]', 1, 5],
  ])('%j', (text, line, column) => {
    expect(refusal(text)).toEqual({
      severity: 'error',
      code: 'syntax',
      message: quotesFor('{{'),
      line,
      column,
    })
  })

  test.each(['key: {{x}}/more', 'key: {{x}} more\nb: 1', '- {{x}}more', '{{x}}y', 'key: {{a.b}}: c'])('%j', (text) => {
    expect(refusal(text)?.message.endsWith(`; ${quotesFor('{{')}`)).toBe(true)
  })

  test('are not suggested elsewhere', () => {
    expect(refusal('a: "{{x}}" b')?.message).not.toContain('{{')
  })
})

test.each<[string, string, string, number, number]>([
  ['a list as a key', '? [a]\n: b', `${NOT_SCALAR}; ${quotesFor('{{')}`, 1, 3],
  ['a mapping as a key, far down', 'a:\n  - b: 1\n    {c: d}: e', `${NOT_SCALAR}; ${quotesFor('{{')}`, 3, 5],
  ['an alias to a list as a key', 'a: &x [1]\n*x : 2', NOT_SCALAR, 2, 2],
  ['a duplicate key', 'a:\n  "b": 1\n  "b": 2', 'duplicate key in a mapping', 3, 3],
  ['an alias without an anchor', 'a: *b', `unknown alias "b"; ${quotesFor('*')}`, 1, 5],
  ['a reserved character', 'a: @b', `bad indentation of a mapping entry; ${quotesFor('@')}`, 1, 4],
  ['a backtick', '- `b`', quotesFor('`'), 1, 3],
  ['a bracket at the margin', 'a: [\n  1\n]', 'this line must be indented further than the block it belongs to', 3, 1],
  ['more after a quotation', 'a: "b" c', 'unexpected text after the closing "', 1, 8],
  ['more after a list', 'a: [b] c', 'unexpected text after the closing ]', 1, 8],
  ['a colon in a value', 'a:\n  b: it: is', 'a value that contains ": " needs quotes', 2, 8],
  ['a key that is indented too far', 'a: x\n b: 2', INDENTED, 2, 3],
  ['a key without its colon', 'a\nb: 2', INDENTED, 2, 2],
  ['a key without a space after its colon', 'a:"x"\nb: 2', INDENTED, 2, 2],
  ['a regular expression in double quotes', 'a: "\\d"', 'a backslash needs no escape in single quotes', 1, 6],
  ['a list that is not closed', 'a: [1, {b: 2}\nc: 3', `this [ ${OUTDENTED}`, 1, 4],
  ['a mapping that is not closed', 'a: ["[{", 2] # [\nb: {c: [3],\n', 'this { is not closed', 2, 4],
  ['JSON that is not closed', '{"a": [1, 2', 'this { is not closed', 1, 1],
  ['much JSON that is not closed', `{"a": [${'{"b": [1]},'.repeat(4000)} 1]`, 'this { is not closed', 1, 1],
  [
    'a list in a long text that is not closed',
    `a: [${'{"b": [1]},'.repeat(4000)}`,
    'unexpected end of the stream within a flow collection',
    1,
    44005,
  ],
  ['a quotation that is not closed', 'a: "b\nc: 3', `this " ${OUTDENTED}`, 1, 4],
  ['brackets beside one that is not closed', 'a: |\n  [ "\nb: it\'s [\nc: [\n', 'this [ is not closed', 4, 4],
  ['a list that is closed as a mapping', 'a: [1}', 'expected ] to close [, got }', 1, 6],
  ['a mapping that is closed as a list', 'a: {b: 1]', 'expected } to close {, got ]', 1, 9],
  ['no comma', 'a: {b: 1 "c": 2}', 'expected a comma or a closing bracket', 1, 13],
  ['a value that is not of its tag', 'a: !!int x', `${WRONG_TAG}:int`, 1, 4],
  ['.inf', 'a: ".inf"\nb: !!str .inf\nc: .inf', NOT_FINITE, 3, 4],
  ['-.INF', '- -.INF', NOT_FINITE, 1, 3],
  ['.NaN', '[1, .NaN]', NOT_FINITE, 1, 5],
  ['.nan as a key', 'a: 1\n.nan: 2', NOT_FINITE, 2, 1],
  ['.inf behind an anchor', 'a: &x .inf', NOT_FINITE, 1, 7],
  ['.inf with its tag', 'a: !!float .inf', `${WRONG_TAG}:float`, 1, 4],
  ['.nan with its tag, quoted', 'a: !!float ".nan"', `${WRONG_TAG}:float`, 1, 4],
  ['a tagged numeral beyond a double', 'a: !!float 1e400', `${WRONG_TAG}:float`, 1, 4],
])('%s', (_, text, message, line, column) => {
  expect(refusal(text)).toMatchObject({ code: 'syntax', line, column })
  expect(refusal(text)?.message).toContain(message)
})

test.each([
  'a: *maxDepth',
  'a: *does_not_support_complex_keys',
  'a: !<nesting exceeded maxDepth> x',
  'a: *nested_too_deeply',
])('text of the document is not taken for a reason: %j', (text) => {
  expect(refusal(text)).toMatchObject({ code: 'syntax' })
  expect(refusal(text)?.message).not.toContain('must be a scalar')
})

test('reports the position of too deep nesting', () => {
  expect(refusal(`a: ${'['.repeat(200)}`)).toMatchObject({ code: 'limit', limit: 'yamlDepth', line: 1 })
})
