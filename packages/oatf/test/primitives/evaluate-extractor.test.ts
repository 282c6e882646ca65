import type { Value } from '@joust/source'
import { describe, expect, test } from 'vitest'
import type { Extractor } from '../../src/model/document.ts'
import type { EvaluationError } from '../../src/model/errors.ts'
import { evaluateExtractor } from '../../src/primitives/evaluate-extractor.ts'
import { deepList } from '../deep-value.ts'

const message: Value = {
  tools: [
    { name: 'calc', tags: ['z', 'a'], on: true },
    { name: '', price: 1.5, schema: { type: 'object', required: ['b', 'a'] } },
  ],
  nothing: null,
  text: 'key=abc123 key=second',
}

const path = (selector: string): Extractor => ({ name: 'v', source: 'request', type: 'json_path', selector })
const regex = (selector: string): Extractor => ({ name: 'v', source: 'request', type: 'regex', selector })
const capture = (extractor: Extractor, value: Value = message) => evaluateExtractor(extractor, value, 'request')

describe('json_path', () => {
  test.each([
    ['$.tools[0].name', 'calc'],
    ["$['tools'][0]['name']", 'calc'],
    ['$.tools[-1].price', '1.5'],
    ['$.tools[0].on', 'true'],
    ['$.nothing', 'null'],
    ['$.tools[0].tags', '["z","a"]'],
    ['$.tools[1].schema', '{"type":"object","required":["b","a"]}'],
    // of several, the first in document order
    ['$.tools[*].name', 'calc'],
    ['$.tools[*].price', '1.5'],
    ['$..tags[*]', 'z'],
    ['$.tools[?@.price > 1].schema.required[1]', 'a'],
    ['$.tools[1,0].name', ''],
    // found, but empty
    ['$.tools[1].name', ''],
  ])('%s captures %j', (selector, expected) => {
    expect(capture(path(selector))).toBe(expected)
  })

  test.each([
    ['$.missing'],
    ['$.tools[9].name'],
    ['$.tools.name'],
    ['$.text.length'],
    ['$.constructor'],
    ['$.__proto__'],
    ['$.tools[?@.price > 9]'],
  ])('%s captures nothing', (selector) => {
    expect(capture(path(selector))).toBeUndefined()
  })

  test('the root is a match', () => {
    expect(capture(path('$'), 'whole')).toBe('whole')
    expect(capture(path('$'), null)).toBe('null')
  })
})

describe('regex', () => {
  test.each([
    // the first group of the first match
    ['key=([a-z0-9]+)', 'abc123'],
    ['key=([a-z]+)([0-9]+)', 'abc'],
    ['key=(?:a)(b)', 'b'],
    ['(?P<word>second)', 'second'],
    // the message as compact JSON, with its keys in the given order
    ['"name":"([^"]*)"', 'calc'],
    ['^\\{"([a-z]+)":', 'tools'],
    ['"tags":(\\[[^]]*\\])', '["z","a"]'],
    // matched, but empty
    ['key=()', ''],
    ['"name":"(x*)","price"', ''],
  ])('%s captures %j', (selector, expected) => {
    expect(capture(regex(selector))).toBe(expected)
  })

  test.each([['absent=(.*)'], ['key=[a-z]+'], ['key=(?:abc)']])('%s captures nothing', (selector) => {
    expect(capture(regex(selector))).toBeUndefined()
  })

  test('a group that took no part in the match captures nothing', () => {
    expect(capture(regex('x|k(e)q'), 'x')).toBeUndefined()
  })

  test.each<[Value, string, string]>([
    ['a plain text', 'plain (.*)', 'text'],
    ['no quotes around it', '^(.)', 'n'],
    [42, '^(4)', '4'],
    [true, '(ue)$', 'ue'],
    [null, '(.*)', 'null'],
    [['a', 1], '(.*)', '["a",1]'],
  ])('over %j, %s captures %j', (value, selector, expected) => {
    expect(capture(regex(selector), value)).toBe(expected)
  })
})

describe('direction', () => {
  test.each([
    ['request', 'request', 'calc'],
    ['request', 'response', undefined],
    ['response', 'request', undefined],
    ['response', 'response', 'calc'],
  ] as const)('source %s, message %s: %j', (source, direction, expected) => {
    expect(evaluateExtractor({ ...path('$.tools[0].name'), source }, message, direction)).toBe(expected)
    expect(evaluateExtractor({ ...regex('"name":"(calc)"'), source }, message, direction)).toBe(expected)
  })
})

describe('reasons for a missing answer', () => {
  const ask = (extractor: Extractor, value: Value, limits = {}) => {
    const errors: EvaluationError[] = []
    const result = evaluateExtractor(extractor, value, 'request', { limits, onError: (error) => errors.push(error) })
    return { result, errors }
  }

  test.each<[title: string, extractor: Extractor, value: Value, limits: object, error: object]>([
    ['an invalid regex', regex('('), 'x', {}, { kind: 'type_error' }],
    ['a long regex', regex('(abc)'), 'x', { regexPattern: 4 }, { kind: 'regex_timeout', limit: 'regexPattern' }],
    ['much work', regex('([ab]+)c'), 'a'.repeat(99), { regexWork: 99 }, { kind: 'regex_timeout', limit: 'regexWork' }],
    ['a deep message', regex('(core)'), deepList(100_000), {}, { kind: 'type_error', limit: 'compactJsonDepth' }],
    ['a deep match', path('$'), deepList(100_000), {}, { kind: 'type_error', limit: 'compactJsonDepth' }],
    ['a long path', path('$.tools'), {}, { jsonPathSource: 3 }, { limit: 'jsonPathSource' }],
    ['many steps', path('$..x'), [[1, 2, 3], [4]], { jsonPathSteps: 2 }, { limit: 'jsonPathSteps' }],
    ['a deep descent', path('$..zzz'), deepList(100_000), {}, { limit: 'jsonPathDepth' }],
  ])('%s is told', (_, extractor, value, limits, error) => {
    expect(ask(extractor, value, limits)).toMatchObject({ result: undefined, errors: [error] })
  })

  test('an invalid path is reported', () => {
    const { result, errors } = ask(path('$.['), {})
    expect(result).toBeUndefined()
    expect(errors).toHaveLength(1)
    expect(errors[0]?.limit).toBeUndefined()
  })

  test('without a listener it captures nothing', () => {
    expect(capture(regex('('))).toBeUndefined()
    expect(capture(path('$.['))).toBeUndefined()
  })

  test.each([
    [null],
    ['$.a'],
    [{}],
    [{ source: 'request' }],
    [{ source: 'request', type: 'json_path' }],
    [{ source: 'request', type: 'regex', selector: 5 }],
    [{ source: 'request', type: 'css', selector: '(.*)' }],
  ])('%j is not an extractor and captures nothing', (extractor) => {
    expect(evaluateExtractor(extractor as unknown as Extractor, message, 'request')).toBeUndefined()
  })
})
