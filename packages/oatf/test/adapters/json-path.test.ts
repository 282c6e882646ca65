import { defaultLimits, type Value } from '@joust/source'
import { describe, expect, test } from 'vitest'
import { compileJsonPath, firstJsonPathMatch, jsonPathSyntaxError } from '../../src/adapters/json-path.ts'

const message: Value = {
  id: 7,
  nothing: null,
  'odd key': { "it's": 1 },
  tools: [
    { name: 'calc', price: 5, tags: ['safe', 'math'] },
    { name: 'shell', price: 50, tags: [], annotations: { title: 'Run' } },
    { name: 'mail', price: 50 },
  ],
}

describe('the first match, in document order', () => {
  test.each<[string, Value | undefined]>([
    ['$', message],
    ['$.id', 7],
    ['$.nothing', null],
    ['$.missing', undefined],
    ['$.id.deeper', undefined],
    [`$['odd key']["it's"]`, 1],
    ['$.tools[0].name', 'calc'],
    ['$.tools[-1].name', 'mail'],
    ['$.tools[7]', undefined],
    ['$.tools[-7]', undefined],
    ['$.tools[1:].name', 'shell'],
    ['$.tools[::-1].name', 'mail'],
    ['$.tools[-2:-1].name', 'shell'],
    ['$.tools[5:1:-2].name', 'mail'],
    ['$.tools[::0]', undefined],
    ['$.tools[2,0].name', 'mail'],
    ['$.tools[*].annotations.title', 'Run'],
    ['$.*', 7],
    ['$..name', 'calc'],
    ['$..tags[1]', 'math'],
    ['$..title', 'Run'],
    ['$..*', 7],
    ['$.tools[?@.price > 10].name', 'shell'],
    ['$.tools[?@.price >= 50 && @.name != "shell"].name', 'mail'],
    ['$.tools[?@.price < 5 || @.annotations].name', 'shell'],
    ['$.tools[?!@.annotations].name', 'calc'],
    ['$.tools[?@.price <= $.id].name', 'calc'],
    ['$.tools[?@.missing == $.absent].name', 'calc'],
    ['$.tools[?@.missing != 1].name', 'calc'],
    ['$.tools[?@.name < "d"].name', 'calc'],
    ['$.tools[?@.name > 1].name', undefined],
    ['$.tools[?@.annotations == $.tools[1].annotations].name', 'shell'],
    ['$.tools[?length(@.name) == 4].name', 'calc'],
    ['$.tools[?length(@.tags) == 0].name', 'shell'],
    ['$.tools[?length(@) == 2].name', 'mail'],
    ['$.tools[?length(@.price) == 1].name', undefined],
    ['$.tools[?count(@.*) == 4].name', 'shell'],
    ['$.tools[?value(@..title) == "Run"].name', 'shell'],
    ['$.tools[?value(@.tags[*]) == "safe"].name', undefined],
    ['$.tools[?match(@.name, "s.*l")].name', 'shell'],
    ['$.tools[?match(@.name, "hel")].name', undefined],
    ['$.tools[?search(@.name, "[x-z]|ai")].name', 'mail'],
    ['$.tools[?search(@.price, "5")].name', undefined],
  ])('%s', (expression, value) => {
    expect(firstJsonPathMatch(expression, message)).toEqual({ ok: true, value })
  })

  test.each<[string, string, Value, boolean]>([
    ['length counts code points', '$[?length(@) == 1]', ['😀'], true],
    ['texts compare by code point', '$[?@ < "\u{1f600}"]', ['\uff5e'], true],
    ['a list is not an object', '$[?@.a == @.b]', [{ a: {}, b: [] }], false],
    ['keys of a prototype are not compared', '$[?@.a == @.b]', [{ a: { constructor: {} }, b: { x: 1 } }], false],
    ['order of keys is irrelevant', '$[?@.a == @.b]', [{ a: { x: 1, y: 2 }, b: { y: 2, x: 1 } }], true],
    ['42 is 42.0', '$[?@ == 42.0]', [42], true],
    ['a dot is not a line break', '$[?match(@, "a.b")]', ['a\rb'], false],
    ['a dot is any other character', '$[?match(@, "a.b")]', ['a😀b'], true],
    ['a dot in a class or after a backslash is a dot', String.raw`$[?match(@, "[.]\\.")]`, ['x.'], false],
    ['a hyphen may be escaped', String.raw`$[?match(@, "a\\-b")]`, ['a-b'], true],
    ['what is not an I-Regexp matches nothing', String.raw`$[?search(@, "\\d")]`, ['1'], false],
    ['nor does what is not a regular expression', '$[?search(@, "(")]', ['('], false],
    ['a pattern may come from the value', '$[?match(@.s, @.p)]', [{ s: 'abc', p: 'a.c' }], true],
  ])('%s', (_title, expression, value, found) => {
    const result = firstJsonPathMatch(expression, value)
    expect(result).toEqual({ ok: true, value: found ? (value as Value[])[0] : undefined })
  })

  test.each(['__proto__', 'constructor', 'toString', 'length'])('%s is an ordinary name', (name) => {
    expect(firstJsonPathMatch(`$.${name}`, {})).toEqual({ ok: true, value: undefined })
    expect(firstJsonPathMatch(`$.l.${name}`, { l: [] })).toEqual({ ok: true, value: undefined })
    expect(firstJsonPathMatch(`$..${name}`, [{ x: 'text' }])).toEqual({ ok: true, value: undefined })
    const value = JSON.parse(`{"${name}": {"x": 1}}`)
    expect(firstJsonPathMatch(`$.${name}.x`, value)).toEqual({ ok: true, value: 1 })
    expect(firstJsonPathMatch('$.*.x', value)).toEqual({ ok: true, value: 1 })
  })
})

describe('jsonPathSyntaxError', () => {
  test.each([
    ['', 'the expression is empty'],
    ['tools', "expected '$', found 't' at character 1"],
    ['$.', 'the expression ends too early at character 3'],
    ['$.tools[', expect.stringContaining('at character 9')],
    ['$.tools[01]', 'leading zero in index selector at character 9'],
    ['$[9007199254740992]', 'index out of range at character 3'],
    ['$[?@.a == $..b]', 'non-singular query is not comparable at character 11'],
    ['$[?absent(@)]', "no such function 'absent' at character 4"],
    ['$[?length(@)]', expect.stringContaining('must be compared')],
    ['$.a ', 'the expression has leading or trailing whitespace'],
    ['$.tools[?@.tags == ["safe"]]', expect.stringContaining('at character 20')],
    ['$[?@.a 1]', 'expected token comma, found number at character 8'],
  ])('%j', (expression, message) => {
    expect(jsonPathSyntaxError(expression)).toEqual(message)
    expect(compileJsonPath(expression)).toEqual({ ok: false, error: { kind: 'path_resolution', message } })
    expect(firstJsonPathMatch(expression, {})).toEqual({ ok: false, error: { kind: 'path_resolution', message } })
  })
})

test('compileJsonPath reads once and runs on many values', () => {
  const program = compileJsonPath('$[?search(@, "^b")]', defaultLimits)
  const values: Value[] = [['abc'], ['abc', 'bcd'], []]
  expect(values.map((value) => (program.ok ? program.value(value) : program))).toEqual([
    { ok: true, value: undefined },
    { ok: true, value: 'bcd' },
    { ok: true, value: undefined },
  ])
})
