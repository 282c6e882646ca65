/** 64-bit integers that doubles cannot tell apart, in every way that a document looks at a message. */
import { readJson, type Value, writeJson } from '@joust/source'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Condition,
  createCelEvaluator,
  evaluateCondition,
  evaluateExpression,
  evaluateExtractor,
  evaluatePattern,
  interpolateTemplate,
  lint,
  load,
  parse,
  serialize,
  validate,
} from '../src/index.ts'
import { anyJson, largeInteger } from './generators/garbage.ts'

const LARGE = 9007199254740993n
const message: Value = {
  id: LARGE,
  list: [
    { n: LARGE, name: 'this' },
    { n: LARGE - 1n, name: 'that' },
  ],
  most: 2n ** 64n - 1n,
}

describe('conditions', () => {
  test.each<[Condition, boolean]>([
    [LARGE, true],
    [LARGE - 1n, false],
    [Number(LARGE), false],
    ['9007199254740993', false],
    [{ any_of: [LARGE - 1n, LARGE] }, true],
    [{ any_of: [LARGE - 1n] }, false],
    [{ contains: '740993' }, true],
    [{ starts_with: '9007' }, true],
    [{ ends_with: '992' }, false],
    [{ regex: '^9007199254740993$' }, true],
    [{ gt: LARGE - 1n }, true],
    [{ gt: LARGE }, false],
    [{ gte: LARGE }, true],
    [{ gt: 2 ** 53 }, true],
    [{ lt: 1e300 }, true],
    [{ lt: LARGE }, false],
    [{ lte: LARGE - 1n }, false],
    [{ lt: 5 }, false],
    [{ exists: true }, true],
  ])('%o: %s', (condition, expected) => {
    expect(evaluateCondition(condition, LARGE)).toBe(expected)
    expect(evaluatePattern({ target: 'id', condition }, message)).toEqual({ ok: true, value: expected })
  })

  test('a number is compared with a large integer too', () => {
    expect(evaluateCondition({ lt: LARGE }, 5)).toBe(true)
    expect(evaluateCondition({ gt: -LARGE }, 0.5)).toBe(true)
    expect(evaluateCondition({ gt: LARGE }, 'text')).toBe(false)
  })
})

test.each<[string, boolean]>([
  ['message.id == 9007199254740993', true],
  ['message.id == 9007199254740992', false],
  ['message.id > 9007199254740992', true],
  ['message.id - 9007199254740000 == 993', true],
  ['message.list.exists(one, one.n == 9007199254740992 && one.name == "that")', true],
  ['string(message.id) == "9007199254740993"', true],
  ['message.most == 18446744073709551615u', true],
  ['message.most > 9223372036854775807', true],
  ['type(message.id) == int', true],
])('CEL: %s is %s', (cel, expected) => {
  expect(evaluateExpression({ cel }, message, createCelEvaluator())).toEqual({ ok: true, value: expected })
})

test.each([
  ['$.id', '9007199254740993'],
  ['$.list[?@.n == 9007199254740993].name', 'this'],
  ['$.list[?@.n == 9007199254740992].name', 'that'],
  ['$.list[?@.n < 9007199254740993].name', 'that'],
  ['$.list[?@.n > 9.5].n', '9007199254740993'],
  ['$.list[?@.n == $.id].name', 'this'],
  ['$.list[?@.n > $.most].name', undefined],
])('JSONPath: %s gives %s', (selector, expected) => {
  const extractor = { name: 'a', source: 'request', type: 'json_path', selector } as const
  expect(evaluateExtractor(extractor, message, 'request')).toBe(expected)
})

test('a template has the digits', () => {
  expect(interpolateTemplate('{{request.id}}', {}, message).value).toBe('9007199254740993')
})

test.each(['version: 9007199254740993', 'x-number: -9223372036854775808'])(
  'a document with %s is valid and kept',
  (line) => {
    const text = `oatf: "0.1"\nattack:\n  ${line}\n  execution: {mode: mcp_server, state: {tools: []}}\n`
    const parsed = parse(text)
    expect(parsed.ok && validate(parsed.value).errors).toEqual([])
    expect(parsed.ok && serialize(parsed.value)).toContain(`  ${line}\n`)
  },
)

test.each(['severity: {level: high, confidence: 9007199254740993}', 'version: -9007199254740993'])(
  '%s is out of range',
  (line) => {
    const loaded = load(`oatf: "0.1"\nattack:\n  ${line}\n  execution: {mode: mcp_server, state: {tools: []}}\n`)
    expect(loaded.ok || loaded.error.length).toBe(1)
  },
)

test('fingerprints tell documents apart that differ in a large integer', () => {
  const prints = [LARGE, LARGE - 1n, LARGE].map((id) => {
    const loaded = load(`oatf: "0.1"\nattack: {execution: {mode: mcp_server, state: {tools: [], x: ${id}}}}`)
    return loaded.ok ? loaded.value.fingerprint : loaded.error
  })
  expect(prints[0]).toBe(prints[2])
  expect(prints[0]).not.toBe(prints[1])
})

test('nothing throws, regardless of the position of such an integer', () => {
  fc.assert(
    fc.property(anyJson, largeInteger, (state, large) => {
      const document = {
        oatf: '0.1',
        attack: { execution: { mode: 'mcp_server', state: { tools: [state, large], large } } },
      }
      const text = writeJson(document)
      expect(readJson(text).ok).toBe(true)
      const loaded = load(text)
      const parsed = parse(text)
      if (parsed.ok) {
        expect(serialize(parsed.value)).toContain(String(large))
        lint(parsed.value)
      }
      if (loaded.ok) expect(loaded.value.fingerprint).not.toBe('')
    }),
  )
})
