import { defaultLimits, type LimitName, type Limits, type Value } from '@joust/source'
import { describe, expect, test } from 'vitest'
import { createCelEvaluator } from '../../src/adapters/cel.ts'
import { deepList, deepRecord } from '../deep-value.ts'

/** The clock stands still, so that the steps decide. */
const frozen = { now: () => 0 }

const evaluate = (expression: string, message: Value, limits: Partial<Limits> = {}) =>
  createCelEvaluator({ ...frozen, limits }).evaluate(expression, { message })

const over = (limit: LimitName) => ({
  ok: false,
  error: { kind: 'cel_error', message: expect.stringContaining(limit), limit },
})

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index)
const repeated = (piece: string, count: number, join: string) => Array.from({ length: count }, () => piece).join(join)
const record = (count: number) => Object.fromEntries(upTo(count).map((n) => [`k${n}`, n]))

describe('every limit is reported under its name', () => {
  test.each<[LimitName, string, Value, Partial<Limits>]>([
    ['celSource', 'true || false', {}, { celSource: 10 }],
    ['celNodes', '[1, 2, 3] == []', {}, { celNodes: 4 }],
    ['celDepth', '((((true))))', {}, { celDepth: 3 }],
    ['celDepth', 'message.a.b.c == 1', { a: { b: { c: 1 } } }, { celDepth: 3 }],
    ['celSteps', 'message.all(x, true)', upTo(100), { celSteps: 50 }],
    ['regexPattern', 'message.matches("aaaaaaaaaaa")', '', { regexPattern: 10 }],
    ['regexProgram', 'message.matches("a{100}")', '', { regexProgram: 50 }],
    ['regexWork', 'message.matches("abc")', 'x'.repeat(1000), { regexWork: 2000 }],
  ])('%s: %s', (limit, expression, message, limits) => {
    expect(evaluate(expression, message, limits)).toEqual(over(limit))
    expect(evaluate(expression, message)).toMatchObject({ ok: true })
  })

  test('celMilliseconds, by the clock that is passed in', () => {
    let clock = 0
    const message = upTo(5000)
    const limits = { celSteps: 1e9 }
    const slow = createCelEvaluator({ limits, now: () => (clock += 60) })
    expect(slow.evaluate('message.all(x, x >= 0)', { message })).toEqual(over('celMilliseconds'))
    const quick = createCelEvaluator({ limits, ...frozen })
    expect(quick.evaluate('message.all(x, x >= 0)', { message })).toEqual({ ok: true, value: true })
  })

  test.each<[LimitName, string]>([
    ['celSteps', 'message.l.all(a, message.l.all(b, true))'],
    ['regexPattern', 'message.s.matches(message.long)'],
    ['regexProgram', 'message.s.matches("a{900}b{900}c{900}")'],
    ['regexWork', 'message.s.matches("(x+x+)+y")'],
  ])('%s is an error even where the other side would settle the matter', (limit, endless) => {
    const message = { l: upTo(400), s: 'x'.repeat(4_000_000), long: 'a'.repeat(5000) }
    for (const expression of [
      `(${endless}) || true`,
      `true && (${endless} || true)`,
      `[1].exists(x, ${endless} || true)`,
    ]) {
      expect(evaluate(expression, message)).toEqual(over(limit))
    }
    expect(evaluate(`(${endless}) && false ? false : true`, message)).toEqual(over(limit))
  })

  test('a smaller budget refuses what a larger one allows', () => {
    const message = upTo(1000)
    expect(evaluate('message.all(x, x >= 0)', message, { celSteps: 1000 })).toEqual(over('celSteps'))
    expect(evaluate('message.all(x, x >= 0)', message, { celSteps: 10_000 })).toEqual({ ok: true, value: true })
  })

  test('earlier evaluations do not change the cost: a cached pattern counts as well', () => {
    const evaluator = createCelEvaluator({ ...frozen, limits: { celSteps: 150 } })
    const expression = 'message.matches("a pattern of forty-eight characters to be read")'
    const verdicts = [1, 2, 3].map(() => evaluator.evaluate(expression, { message: '' }))
    expect(verdicts).toEqual([over('celSteps'), over('celSteps'), over('celSteps')])
  })
})

describe('loops', () => {
  const hostile: [string, string, Value][] = [
    ['three loops in each other', 'message.all(a, message.all(b, message.all(c, a + b + c >= 0)))', upTo(400)],
    ['twelve loops in each other', upTo(12).reduce((inner) => `message.all(x, ${inner})`, 'true'), upTo(10)],
    ['a long list', 'message.exists(x, x == -1)', upTo(200_000)],
    ['a large map', 'message.all(key, message[key] >= 0)', record(100_000)],
    ['an inner loop that ends at once', 'message.exists(x, message.exists(y, true) && false)', upTo(50_000)],
    ['a body of a thousand terms', `message.all(x, ${repeated('x >= 0', 1000, '&&')})`, upTo(100_000)],
    ['a body of literals', `message.all(x, [${repeated('1', 2000, ',')}].size() > 0)`, upTo(100_000)],
    [
      'a literal list in a variable',
      `[[${repeated('1', 2000, ',')}]].all(l, message.all(x, l.exists(y, true)))`,
      upTo(100_000),
    ],
    [
      'a literal map in a variable',
      `[{${upTo(900).map((n) => `${n}u:1`)}}].all(m, message.all(x, m[x - 90000] == 1 || true))`,
      upTo(2000),
    ],
    ['a body of errors', `message.all(x, ${repeated('x.missing', 200, '||')} || true)`, upTo(100_000).map(() => ({}))],
    ['a body of unknown variables', `message.all(x, ${repeated('absent', 200, '||')} || true)`, upTo(100_000)],
    ['a body of type errors', `message.all(x, ${repeated('x < "a"', 200, '||')} || true)`, upTo(100_000)],
    ['time zones', 'message.all(x, timestamp(0).getHours("America/New_York") >= 0)', upTo(1000)],
    [
      'results that double',
      `[1]${repeated('.map(a, [a, a])', 30, '')} == [1]${repeated('.map(a, [a, a])', 30, '')}`,
      null,
    ],
    ['lists that double', `[message]${repeated('.map(a, a + a)', 30, '')} == []`, upTo(10)],
    ['texts that double', `[message]${repeated('.map(a, a + a)', 30, '')} == []`, 'a'.repeat(16)],
    ['bytes that double', `[bytes(message)]${repeated('.map(a, a + a)', 30, '')} == []`, 'a'.repeat(16)],
  ]
  test.each(hostile)('%s', (_title, expression, message) => {
    expect(evaluate(expression, message)).toEqual(over('celSteps'))
    expect(evaluate(`(${expression}) || true`, message)).toEqual(over('celSteps'))
  })

  test('a list of some thousand items is not an attack', () => {
    expect(evaluate('message.map(x, x).exists(y, y == -1)', upTo(5000))).toEqual({ ok: true, value: false })
    expect(evaluate('message.filter(x, x % 2 == 0).size() == 2500', upTo(5000))).toEqual({ ok: true, value: true })
    const tools = upTo(5000).map((n) => ({ name: `t${n}`, description: 'harmless' }))
    const expression = 'message.exists(t, t.name == "admin" && size(t.description) > 100)'
    expect(evaluate(expression, tools)).toEqual({ ok: true, value: false })
    expect(evaluate('message[199999] == 199999', upTo(200_000))).toEqual({ ok: true, value: true })
  })
})

describe('functions that walk through large values', () => {
  const text = 'a'.repeat(4_000_000)
  const large: Value = {
    l: upTo(20_000),
    s: text,
    t: `${text}b`,
    u: `${text}c`,
    m: record(50_000),
    n: record(50_000),
    o: { ...record(50_000), k0: -1 },
  }
  test.each([
    'size(message.s) > 0',
    'size(message.m) > 0',
    'message.s.contains("b") || true',
    'message.t.startsWith(message.u) || true',
    'message.u.endsWith(message.t) || true',
    'message.t == message.u || true',
    'message.t < message.u',
    'message.m == message.n',
    'message.m != message.o',
    '!("x" in message.l)',
    'size(message.s + "x") > 0',
    'size(message.l + message.l) > 0',
    'size(bytes(message.s)) > 0',
    'bool(message.s) || true',
    'timestamp(message.s) > timestamp(0) || true',
    'message.s.matches("b") || true',
  ])('%s, again and again', (once) => {
    expect(evaluate(once, large)).toEqual({ ok: true, value: true })
    expect(evaluate(`message.l.all(x, ${once})`, large)).toEqual(over('celSteps'))
  })

  test.each<[string, string, Value]>([
    [
      'a part that an engine searches in quadratic time',
      'message.s.contains(message.p)',
      { s: text, p: `${'a'.repeat(5e5)}b${'a'.repeat(5e5)}` },
    ],
    ['a part longer than the text', 'message.s.contains(message.p)', { s: 'a', p: text }],
    [
      'a regular expression that native engines backtrack on',
      'message.s.matches("(a+)+$")',
      { s: `${'a'.repeat(100_000)}b` },
    ],
  ])('%s', (_title, expression, message) => {
    expect(evaluate(expression, message)).toEqual({ ok: true, value: false })
  })

  test.each(['int(message)', 'uint(message)', 'double(message)'])('%s of millions of digits', (expression) => {
    expect(evaluate(`${expression} == 1`, '1'.repeat(4_000_000))).toMatchObject({
      ok: false,
      error: { kind: 'cel_error' },
    })
  })
})

describe('regular expressions that a message supplies', () => {
  const s = 'harmless'
  test.each<[LimitName, string]>([
    ['regexPattern', 'a'.repeat(100_000)],
    ['regexProgram', '(\\pL{0,1000})'.repeat(290)],
    ['regexProgram', '((((a?){30}){30}))'.repeat(200)],
  ])('%s', (limit, p) => {
    expect(evaluate('message.s.matches(message.p) || true', { s, p })).toEqual(over(limit))
  })

  test.each([
    ['long ones', upTo(1000).map((n) => 'a'.repeat(1900) + n)],
    ['ones with large classes', upTo(1000).map((n) => `(?i)${'[\\pL\\pN]'.repeat(300)}${n}`)],
  ])('many of them: %s', (_title, p) => {
    expect(evaluate('message.p.exists(p, message.s.matches(p))', { s, p })).toEqual(over('celSteps'))
  })

  test('many matches', () => {
    const message = upTo(100).map(() => 'a'.repeat(2000))
    expect(evaluate('message.all(s, s.matches("(?:a?){400}a{400}"))', message)).toEqual(over('celSteps'))
  })
})

describe('very deep messages', () => {
  const depth = 100_000
  test.each<[string, Value, boolean]>([
    ['size(message) == 1', deepList(depth), true],
    ['message[0][0][0][0] == 1', deepList(depth), false],
    ['has(message.a.a.a)', deepRecord(depth), true],
    ['message.x == message.y', { x: deepRecord(depth), y: deepRecord(depth) }, true],
    ['message.x.a == message.y', { x: deepRecord(depth), y: deepRecord(depth) }, false],
    ['message.x in [message.y]', { x: deepList(depth), y: deepList(depth) }, true],
  ])('%s', (expression, message, value) => {
    expect(evaluate(expression, message)).toEqual({ ok: true, value })
  })

  test('as a result', () => {
    expect(evaluate('message', deepList(depth))).toMatchObject({ ok: false, error: { kind: 'type_error' } })
  })

  test('deeper than the budget', () => {
    const message = { x: deepRecord(depth), y: deepRecord(depth) }
    expect(evaluate('message.x == message.y', message, { celSteps: 20_000 })).toEqual(over('celSteps'))
  })
})

test('all limits of CEL are covered above', () => {
  const names = Object.keys(defaultLimits).filter((name) => name.startsWith('cel'))
  expect(names).toEqual(['celSource', 'celNodes', 'celDepth', 'celSteps', 'celMilliseconds'])
})
