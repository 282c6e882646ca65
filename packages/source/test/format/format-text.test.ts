import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatText, readSource, type Value, withLineBreaksOf } from '../../src/index.ts'
import { sameValue } from '../../src/values/deep-equal.ts'
import { draws, tree, writeFreely } from '../patch/yaml-writer.ts'
import { read } from '../support.ts'

function format(text: string): string {
  const result = formatText(text)
  if (!result.ok) expect.unreachable(`${JSON.stringify(result.error)}\n${text}`)
  return result.value
}

test.each<[string, string, string]>([
  ['indentation', 'a:\n    b:\n    - x\n    -   - y\n        - z\n', 'a:\n  b:\n    - x\n    - - y\n      - z\n'],
  ['spaces around what is written', 'a :   1   \nb:    [ 1,2 ]\n-0: x\n', 'a: 1\nb: [ 1,2 ]\n-0: x\n'],
  ['blank lines', '\n\n# c\n\n\na: 1\n\n\n\n# d\nb: 2\n\n\n', '# c\n\na: 1\n\n# d\nb: 2\n'],
  [
    'quotes',
    'a: "b"\n\'c\': "1"\nd: "yes"\ne: "f: g"\nh: "2020-01-01"\n',
    'a: b\nc: "1"\nd: "yes"\ne: "f: g"\nh: "2020-01-01"\n',
  ],
  [
    'comments',
    'a:   # one\n    # two\n    b: 1   # three\n    # four\n# five\nc: # six\n  d\n',
    'a:   # one\n  # two\n  b: 1   # three\n  # four\n# five\nc: # six\n  d\n',
  ],
  ['comments beside a dash', '-   # one\n    a: 1\n-  # two\n   - x\n', '-   # one\n  a: 1\n-  # two\n  - x\n'],
  [
    'block scalars',
    'a: |  # c\n     x\n       y\n\n     z\nb: >4-\n     w\n',
    'a: |  # c\n  x\n    y\n\n  z\nb: >2-\n   w\n',
  ],
  ['scalars of several lines', 'a: b\n    c\n\n    d\ne: "f\n      g"\n', 'a: b\n  c\n\n  d\ne: "f\n  g"\n'],
  [
    'flow collections of several lines',
    'a:\n    - {\n        b: 1, # c\n      }\n',
    'a:\n  - {\n      b: 1, # c\n    }\n',
  ],
  ['markers and directives', '%YAML 1.2\n---   # c\na:   1\n...\n# d\n', '%YAML 1.2\n---   # c\na: 1\n...\n# d\n'],
  ['properties', 'a:   &x   !!map\n    b: 1\nc:   *x\n', 'a: &x !!map\n  b: 1\nc: *x\n'],
  ['a byte order mark', '\ufeffa:  1', '\ufeffa: 1\n'],
  ['JSON', '{"a":[1,{"b":null}]}', '{\n  "a": [\n    1,\n    {\n      "b": null\n    }\n  ]\n}\n'],
  ['what reorders text', 'a: b\u202ec\n"\u2066": [d\u200be]\n', 'a: "b\\u202ec"\n"\\u2066": ["d\\u200be"]\n'],
])('lays out %s', (_, text, expected) => {
  expect(format(text)).toBe(expected)
  expect(format(expected)).toBe(expected)
})

test('rejects a text that would lose something', () => {
  expect(formatText('&x a: 1\nb: *x\n')).toMatchObject({ ok: false, error: [{ code: 'syntax' }] })
  expect(formatText('a: [')).toMatchObject({ ok: false, error: [{ code: 'syntax' }] })
})

test('formats three megabytes', () => {
  const text = `list:\n${'    - name: "tool" # c\n      body: |\n        one\n        two\n\n\n'.repeat(50_000)}`
  const formatted = format(text)
  expect(formatted.length).toBeLessThan(text.length)
  expect(formatted).toMatch(/^list:\n {2}- name: tool # c\n {4}body: \|\n {6}one\n/)
})

test('keeps values and comments, and is idempotent', () => {
  fc.assert(
    fc.property(tree, fc.integer(), (value: Value, seed) => {
      const text = writeFreely(value, draws(seed))
      fc.pre(readSource(text).ok)
      const formatted = format(text)
      expect(sameValue(read(formatted).value, read(text).value)).toBe(true)
      expect(format(formatted)).toBe(formatted)
      expect(formatted).not.toMatch(/\r/)
      expect(format(text.replaceAll('\r\n', '\n'))).toBe(formatted)
      const broken = withLineBreaksOf('a\r\nb\n', formatted)
      expect(sameValue(read(broken).value, read(formatted).value)).toBe(true)
      expect(withLineBreaksOf(broken, format(broken))).toBe(broken)
    }),
    { numRuns: 200 },
  )
})
