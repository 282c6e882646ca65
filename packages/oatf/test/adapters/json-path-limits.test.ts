import { defaultLimits, type LimitName, type Limits, type Value } from '@joust/source'
import { describe, expect, test } from 'vitest'
import { firstJsonPathMatch, jsonPathSyntaxError } from '../../src/adapters/json-path.ts'
import { deepList, deepRecord } from '../deep-value.ts'

const over = (limit: LimitName) => ({
  ok: false,
  error: { kind: 'path_resolution', message: expect.stringContaining(limit), limit },
})

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index)
const objects = upTo(200).map((n) => ({ a: n, b: { c: n } }))
const record = (count: number) => Object.fromEntries(upTo(count).map((n) => [`k${n}`, n]))

describe('every limit is reported under its name', () => {
  test.each<[LimitName, string, Value, Partial<Limits>]>([
    ['jsonPathSource', '$.a.b.c', {}, { jsonPathSource: 5 }],
    ['jsonPathDepth', '$.a.b.c', {}, { jsonPathDepth: 2 }],
    ['jsonPathDepth', '$[?(((@.a)))]', {}, { jsonPathDepth: 3 }],
    ['jsonPathDepth', '$..x', deepList(4), { jsonPathDepth: 2 }],
    ['jsonPathSteps', '$[*].x', upTo(100), { jsonPathSteps: 50 }],
    ['regexPattern', '$[?search(@, "aaaaaaaaaaa")]', [''], { regexPattern: 10 }],
    ['regexProgram', '$[?search(@, "a{100}")]', [''], { regexProgram: 50 }],
    ['regexWork', '$[?search(@, "abc")]', ['x'.repeat(1000)], { regexWork: 2000 }],
  ])('%s: %s', (limit, expression, value, limits) => {
    expect(firstJsonPathMatch(expression, value, { ...defaultLimits, ...limits })).toEqual(over(limit))
    expect(firstJsonPathMatch(expression, value)).toEqual({ ok: true, value: undefined })
  })

  test('a limit is an error where the other side would settle the matter', () => {
    const expression = '$[?(@.p && search(@.s, @.p)) || @.s]'
    expect(firstJsonPathMatch(expression, [{ s: 'x', p: 'a'.repeat(5000) }])).toEqual(over('regexPattern'))
  })

  test('a match before the limit is a match', () => {
    expect(firstJsonPathMatch('$..a', deepRecord(100_000))).toMatchObject({ ok: true })
    expect(firstJsonPathMatch('$[?@ == 49999]', upTo(200_000))).toEqual({ ok: true, value: 49999 })
  })
})

describe('hostile expressions and values', () => {
  test.each<[string, Value]>([
    ['$[?count($[?count($..*)>1])>1]', objects],
    ['$[?$[?$[?@.zzz]]]', objects],
    ['$..*..*..*..*..*..zzz', deepRecord(55)],
    [`$${'[0,0]'.repeat(22)}.x`, deepList(30)],
    ['$[*].x', upTo(250_000)],
    ['$[?@ == -1]', upTo(200_000)],
    ['$[?count(@[*]) == 1]', [upTo(250_000)]],
    ['$[::1][::1].x', upTo(1000).map(() => upTo(1000))],
    [`$[?${'@.z||'.repeat(600)}@.z]`, upTo(10_000).map(() => ({}))],
    ['$.l[?$.a == $.b]', { l: upTo(1000), a: upTo(100_000), b: [...upTo(99_999), -1] }],
    ['$.l[?length($.s) < 0]', { l: upTo(10_000), s: 'é'.repeat(4_000_000) }],
    ['$.l[?length($.m) < 0]', { l: upTo(10_000), m: record(100_000) }],
    ['$.l[?$.a > $.b]', { l: upTo(10_000), a: `${'a'.repeat(4_000_000)}a`, b: `${'a'.repeat(4_000_000)}b` }],
    ['$[?search($[0].s, @.p)]', upTo(1000).map((n) => ({ s: 'abc', p: `${'\\p{L}'.repeat(300)}${n}` }))],
    ['$[?search("abc", @)]', upTo(1000).map((n) => `${'a'.repeat(3000)}\\d${n}`)],
    ['$[?search(@, "(a?){300}a{300}b")]', upTo(1000).map(() => 'a'.repeat(1000))],
    ['$..zzz', upTo(1000).map(() => record(1000))],
  ])('%s takes too many steps', (expression, value) => {
    expect(jsonPathSyntaxError(expression)).toBeUndefined()
    expect(firstJsonPathMatch(expression, value)).toEqual(over('jsonPathSteps'))
  })

  test.each<[string, Value, Value | undefined]>([
    ['$..*..*', objects, 0],
    ["$[?search(@,'(a+)+$')]", [`${'a'.repeat(100_000)}b`], undefined],
    ["$[?search(@,'(|){30}b')]", [''], undefined],
    ['$[*]', upTo(200_000), 0],
    ['$[-1]', upTo(200_000), 199_999],
    ['$[::-1]', upTo(200_000), 199_999],
    ['$[0][?@[*]]', [[upTo(200_000)]], upTo(200_000)],
    ['$.k7', record(200_000), 7],
    ['$.a.a.x', deepRecord(100_000), undefined],
  ])('%s is answered', (expression, value, match) => {
    expect(firstJsonPathMatch(expression, value)).toEqual({ ok: true, value: match })
  })

  test('two values of a hundred thousand levels are compared', () => {
    const value = [deepRecord(100_000), deepRecord(100_000, 'other')]
    const found = firstJsonPathMatch('$[?@ == $[1]]', value)
    expect(found.ok && found.value === value[1]).toBe(true)
  })

  test.each<[LimitName, string]>([
    ['regexPattern', 'a'.repeat(100_000)],
    ['regexProgram', '(\\p{L}{0,1000})'.repeat(250)],
  ])('a pattern in a value: %s', (limit, p) => {
    expect(firstJsonPathMatch('$[?search(@.s, @.p)]', [{ s: 'abc', p }])).toEqual(over(limit))
  })

  test('a regular expression that RE2 cannot count to is an error, not a mismatch', () => {
    const result = firstJsonPathMatch('$[?search(@, "a{1001}")]', ['a'])
    expect(result).toMatchObject({ ok: false, error: { message: expect.stringContaining('cannot be run') } })
  })

  test('descent stops at the limit', () => {
    expect(firstJsonPathMatch('$..x', deepList(65))).toEqual({ ok: true, value: undefined })
    expect(firstJsonPathMatch('$..x', deepList(66))).toEqual(over('jsonPathDepth'))
    expect(firstJsonPathMatch('$..x', deepList(100_000))).toEqual(over('jsonPathDepth'))
  })

  test.each([
    `$${'.a'.repeat(65)}`,
    `$[?${'('.repeat(100)}@.a${')'.repeat(100)}]`,
    `$[?${'('.repeat(2000)}@.a${')'.repeat(2000)}]`,
    `$[?@${'[?@'.repeat(100)}${']'.repeat(101)}`,
  ])('an expression too deep to run: %#', (expression) => {
    expect(jsonPathSyntaxError(expression)).toContain('over the limit jsonPathDepth = 64')
  })

  test('brackets in names add no depth', () => {
    expect(jsonPathSyntaxError(`$['${'['.repeat(100)}']["\\"${'('.repeat(100)}"]`)).toBeUndefined()
  })
})

test('all limits of JSONPath are covered above', () => {
  const names = Object.keys(defaultLimits).filter((name) => name.startsWith('jsonPath'))
  expect(names).toEqual(['jsonPathSource', 'jsonPathDepth', 'jsonPathSteps'])
})
