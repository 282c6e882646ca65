import type { Value } from '@joust/source'
import { describe, expect, test } from 'vitest'
import { evaluateIndicator } from '../src/evaluate/indicator.ts'
import { load } from '../src/load.ts'
import { normalize } from '../src/normalize.ts'
import { parse } from '../src/parse.ts'
import { validate } from '../src/validate.ts'
import { minimalText } from './documents.ts'

// SDK §3.5: only the first stage that fails reports errors.
describe('load', () => {
  test('a valid document comes back normalized', () => {
    const parsed = parse(minimalText)
    expect(load(minimalText)).toMatchObject({
      ok: true,
      value: { text: minimalText, document: parsed.ok && normalize(parsed.value), warnings: [] },
    })
    const loaded = load(minimalText)
    expect(loaded.ok && loaded.value.document.attack.execution.actors?.[0]?.name).toBe('default')
  })

  test('warnings come with it', () => {
    const text = minimalText.replace('mcp_server', 'mpc_server')
    const loaded = load(text)
    expect(loaded.ok && loaded.value.warnings).toMatchObject([
      { code: 'W-002', severity: 'warning', path: 'attack.execution.mode', line: 4, column: 11 },
    ])
  })

  test('errors of parse, though validate would have more', () => {
    const text = 'oatf: "9"\nattack:\n  version: many\n  execution: {}\n'
    const parsed = parse(text)
    expect(load(text)).toEqual(parsed)
    expect(parsed.ok).toBe(false)
  })

  test('errors of validate', () => {
    const text = minimalText.replace('"0.1"', '"9"')
    const parsed = parse(text)
    expect(parsed.ok).toBe(true)
    expect(load(text)).toEqual({ ok: false, error: parsed.ok && validate(parsed.value).errors })
    expect(load(text)).toMatchObject({ ok: false, error: [{ rule: 'V-001', line: 1, column: 7 }] })
  })

  test('dialects are read first; strict is parse, validate and normalize alone', () => {
    const text = minimalText.replace('mcp_server', 'a2a_server').replace('tools: []', 'task: {artifacts: []}')
    const parsed = parse(text)
    if (!parsed.ok) throw new Error('the document has another shape')
    const { attack } = normalize(parsed.value)
    expect(load(text, { strict: true })).toMatchObject({ ok: true, value: { document: { attack } } })
    expect(load(text)).toMatchObject({ ok: true, value: { warnings: [{ code: 'D-006' }] } })
    expect(load(text)).not.toMatchObject({ ok: true, value: { document: { attack } } })
  })

  test('limits reach the reader and the rules', () => {
    const text = `${minimalText}  indicators: [{target: a, pattern: {regex: b}}]\n`
    expect(load(text).ok).toBe(true)
    expect(load(text, { limits: { documentExpressions: 0 } })).toMatchObject({ ok: false, error: [{ rule: 'V-013' }] })
    expect(load(minimalText, { limits: { yamlBytes: 10 } })).toMatchObject({
      ok: false,
      error: [{ limit: 'yamlBytes' }],
    })
  })
})

test('the patterns of indicators and task are compiled once, and judge as fresh ones do', () => {
  const indicators = '[{ target: name, pattern: { regex: "^a+$" } }, { target: "", expression: { cel: "true" } }]'
  const loaded = load(`${minimalText}  indicators: ${indicators}\n  x-joust-task: { indicators: ${indicators} }\n`)
  if (!loaded.ok) throw new Error(loaded.error.map(({ message }) => message).join('\n'))
  const { patterns, document } = loaded.value
  expect(loaded.value.patterns).toBe(patterns)
  expect(patterns.size).toBe(2)
  const [indicator] = document.attack.indicators ?? []
  if (indicator === undefined) throw new Error('no indicator')
  expect(evaluateIndicator(indicator, { name: 'aa' }, { patterns }).result).toBe('matched')
  expect(evaluateIndicator(indicator, { name: 'b' }, { patterns }).result).toBe('not_matched')
})

describe('a value instead of a text', () => {
  const value = {
    oatf: '0.1',
    attack: {
      execution: { mode: 'mcp_server', state: { tools: [] } },
      indicators: [{ target: 'a', pattern: { contains: 'x' } }],
    },
  }

  test('loads like its text', () => {
    const fromText = load(JSON.stringify(value))
    const fromValue = load(value)
    expect(fromValue.ok && fromValue.value.document).toEqual(fromText.ok && fromText.value.document)
    expect(fromValue.ok && fromValue.value.fingerprint).toBe(fromText.ok && fromText.value.fingerprint)
  })

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a number', 5],
    ['a list', []],
    ['a function', () => 1],
    ['a document with a function', { oatf: '0.1', attack: () => 1 }],
  ])('%s is an error, never an exception', (_, input) => {
    expect(load(input as Value)).toMatchObject({ ok: false, error: [expect.objectContaining({ severity: 'error' })] })
  })

  test.each<[string, unknown, string]>([
    ['attack.name', { ...value, attack: { ...value.attack, name: () => 1 } }, 'function'],
    ['attack.tags[1]', { ...value, attack: { ...value.attack, tags: ['a', Symbol('b')] } }, 'symbol'],
  ])('a value that JSON would drop is an error: %s', (path, input, kind) => {
    const message = `${path} is a ${kind}, which a document cannot contain`
    expect(load(input as Value)).toMatchObject({ ok: false, error: [{ kind: 'syntax', path, message }] })
  })

  test('a circular value is an error', () => {
    const circular: { [key: string]: unknown } = { oatf: '0.1' }
    circular.attack = circular
    expect(load(circular as never)).toMatchObject({
      ok: false,
      error: [{ kind: 'syntax', message: expect.stringContaining('circular') }],
    })
  })

  test('a value that throws when it is read is a syntax error', () => {
    const broken = (): never => {
      throw new Error('out of order')
    }
    const value = Object.defineProperty({}, 'oatf', { get: broken, enumerable: true })
    for (const input of [value, new Proxy({}, { ownKeys: broken })])
      expect(load(input)).toMatchObject({
        ok: false,
        error: [{ code: 'syntax', message: 'the value cannot be read: out of order' }],
      })
  })
})
