import type { Path, Value } from '@joust/source'
import { describe, expect, test } from 'vitest'
import type { ParseError } from '../src/model/errors.ts'
import { type ParseOptions, parse } from '../src/parse.ts'
import { asText, fullDocument, minimalText, places, withValue } from './documents.ts'

function errorsOf(text: string, options?: ParseOptions): ParseError[] {
  const result = parse(text, options)
  return result.ok ? [] : result.error
}

const accepts = (document: Value) => expect(errorsOf(asText(document))).toEqual([])

const { actor, phase, trigger, pattern, expression, semantic, mapping } = places

describe('documents that have the right shape', () => {
  test('the smallest', () => {
    expect(parse(minimalText)).toEqual({
      ok: true,
      value: { oatf: '0.1', attack: { execution: { mode: 'mcp_server', state: { tools: [] } } } },
    })
  })

  test('a document with every field is preserved', () => {
    expect(parse(asText(fullDocument))).toEqual({ ok: true, value: fullDocument })
  })

  test.each<[title: string, path: Path, value: Value]>([
    ['severity as a word', ['attack', 'severity'], 'low'],
    ['severity without confidence', ['attack', 'severity'], { level: 'low' }],
    ['an unknown framework', [...mapping, 'framework'], 'home_grown'],
    ['an unknown mode', [...actor, 'mode'], 'acme_bus_server'],
    ['an unknown protocol', [...pattern, 'protocol'], 'acme_bus'],
    ['an unknown surface', [...pattern, 'surface'], 'doors/open'],
    ['an unknown event', [...trigger, 'event'], 'doors/open'],
    ['shorthand', [...pattern, 'pattern'], { contains: 'x' }],
    ['a bare condition', [...pattern, 'pattern', 'condition'], 'ls'],
    ['a condition of null', [...pattern, 'pattern', 'condition'], null],
    ['a condition of a list', [...pattern, 'pattern', 'condition'], [1, [2]]],
    ['an object without operators to compare with', [...trigger, 'match'], { 'a.b': { key: { deep: 1 } } }],
    ['a whole number for a threshold', [...semantic, 'threshold'], 1],
    ['an empty correlation', ['attack', 'correlation'], {}],
    ['a version beyond 2^53', ['attack', 'version'], 1e20],
  ])('%s', (_, path, value) => accepts(withValue(fullDocument, path, value)))

  // What these mean is for validate to decide.
  test.each<[title: string, path: Path, value: Value]>([
    ['another version', ['oatf'], '9.9'],
    ['an id of the wrong form', ['attack', 'id'], 'no'],
    ['a version below 1', ['attack', 'version'], -3],
    ['confidence beyond 100', ['attack', 'severity', 'confidence'], 900],
    ['the same impact twice', ['attack', 'impact'], ['data_tampering', 'data_tampering']],
    ['no phases', [...actor, 'phases'], []],
    ['no indicators', ['attack', 'indicators'], []],
    ['a mode that is none', [...actor, 'mode'], 'Not A Mode'],
    ['a duration that is none', [...trigger, 'after'], 'soon'],
    ['a regex that is none', [...pattern, 'pattern', 'condition', 'regex'], '('],
    ['CEL that is none', [...expression, 'cel'], '1 +'],
    ['a path that is none', [...pattern, 'target'], 'a..b'],
    ['a state that is not a mapping', [...phase, 'state'], 'text'],
    ['an empty trigger', trigger, {}],
    ['a pattern without a condition', [...pattern, 'pattern'], {}],
    ['all three forms at once', ['attack', 'execution'], { mode: 'mcp_server', state: {}, phases: [], actors: [] }],
    ['none of them', ['attack', 'execution'], {}],
  ])('%s', (_, path, value) => accepts(withValue(fullDocument, path, value)))
})

describe('hints', () => {
  test('the version without quotes', () => {
    const errors = errorsOf(minimalText.replace('"0.1"', '0.1'))
    expect(errors).toEqual([
      {
        severity: 'error',
        kind: 'type_mismatch',
        code: 'V-001',
        rule: 'V-001',
        spec_ref: '§11.1.1',
        path: 'oatf',
        line: 1,
        column: 7,
        end_column: 10,
        message: expect.stringContaining('got a number (0.1)'),
      },
    ])
  })

  test.each([
    ['attack', 'nmae', 'name'],
    ['attack', 'serverity', 'severity'],
    ['attack', 'gracePeriod', 'grace_period'],
    ['attack', 'Indicators', 'indicators'],
    ['attack.execution.actors[0].phases[0]', 'onEnter', 'on_enter'],
    ['attack.execution.actors[0].phases[0]', 'tirgger', 'trigger'],
    ['attack.indicators[0].pattern.condition', 'startsWith', 'starts_with'],
    ['attack.indicators[0]', 'false-positives', 'false_positives'],
  ])('in %s, %s means %s', (at, key, meant) => {
    const path = [...at.matchAll(/[a-z]+|\d+/g)].map(([step]) => (/\d/.test(step) ? Number(step) : step))
    const [error] = errorsOf(asText(withValue(fullDocument, [...path, key], 'x')))
    expect(error).toMatchObject({
      message: `unknown field "${key}".`,
      suggestion: { replace: 'key', with: meant },
    })
  })

  test('a misspelled word', () => {
    const [error] = errorsOf(asText(withValue(fullDocument, ['attack', 'severity', 'level'], 'critcal')))
    expect(error?.suggestion).toEqual({ replace: 'value', with: 'critical' })
  })
})

test('all errors come at once, in reading order', () => {
  const text = `oatf: 0.1
colour: red
attack:
  indicators:
    - target: 5
      tier: top
  status: done
  execution:
    state: {}
    mode: [mcp_server]
  id: 7
`
  expect(errorsOf(text).map(({ path, line, column, kind, rule }) => [line, column, path, kind, rule])).toEqual([
    [1, 7, 'oatf', 'type_mismatch', 'V-001'],
    [2, 1, 'colour', 'type_mismatch', undefined],
    [5, 15, 'attack.indicators[0].target', 'type_mismatch', 'V-021'],
    [6, 13, 'attack.indicators[0].tier', 'unknown_variant', 'V-050'],
    [7, 11, 'attack.status', 'unknown_variant', 'V-005'],
    [10, 11, 'attack.execution.mode', 'type_mismatch', 'V-034'],
    [11, 7, 'attack.id', 'type_mismatch', 'V-023'],
  ])
})

describe('YAML beyond plain data', () => {
  const constructs: [title: string, text: string, ...errors: [line: number, column: number, path: string][]][] = [
    ['custom tags', 'oatf: !version "0.1"\nattack: !include other.yaml\n', [1, 7, 'oatf'], [2, 9, 'attack']],
    ['a language tag', 'oatf: "0.1"\nattack: !!python/object:os.system {a: 1}\n', [2, 9, 'attack']],
    [
      'an anchor and an alias',
      'oatf: "0.1"\nattack: {name: &n 5, author: *n}\n',
      [2, 16, 'attack.name'],
      [2, 30, 'attack.author'],
    ],
    ['a merge key', 'oatf: "0.1"\nattack:\n  <<: {name: x}\n', [3, 3, 'attack.<<']],
  ]

  test.each(constructs)('%s are named with V-020 when the document fails for other reasons', (_, text, ...expected) => {
    const found = errorsOf(text).filter((error) => error.rule === 'V-020')
    expect(found.map(({ line, column, path }) => [line, column, path])).toEqual(expected)
    expect(found.every((error) => error.kind === 'syntax' && error.spec_ref === '§11.1.1')).toBe(true)
    expect(errorsOf(text).some((error) => error.rule !== 'V-020')).toBe(true)
  })

  test('a document that is otherwise correct is reported by validate only', () => {
    expect(errorsOf(minimalText.replace('tools: []', 'tools: &t []\n      prompts: *t'))).toEqual([])
    expect(errorsOf(minimalText.replace('tools: []', 'tools: !custom []'))).toEqual([])
  })

  test('core tags are plain data', () => {
    expect(errorsOf(minimalText.replace('"0.1"', '!!str 0.1'))).toEqual([])
  })
})

describe('text that cannot be read', () => {
  test.each<[title: string, text: string, expected: Partial<ParseError>]>([
    ['nothing', '', { message: 'the document is empty', line: 1, column: 1 }],
    ['white space', ' \n\n', { message: 'the document is empty' }],
    ['a comment', '# to do\n', { message: 'the document is empty' }],
    ['two documents', `${minimalText}---\n${minimalText}`, { message: 'expected one YAML document, got 2', line: 8 }],
    ['a key twice', 'oatf: "0.1"\nattack: {}\noatf: "0.1"\n', { line: 3, column: 1 }],
    ['a key twice in a state', minimalText.replace('tools: []', 'tools: []\n      tools: []'), { line: 7, column: 7 }],
    ['a key twice in JSON', '{"oatf": "0.1",\n "oatf": "0.1"}', { line: 2, column: 2 }],
    ['a NUL byte', 'oatf: "0.1"\u0000\n', { line: 1 }],
    ['an open bracket', 'oatf: [1\n', {}],
    ['a tab in front', 'oatf: "0.1"\n\tattack: {}\n', { line: 2 }],
    ['an infinite number', 'oatf: "0.1"\nattack: {version: .inf}\n', { line: 2, column: 19 }],
    ['no number', 'oatf: "0.1"\nattack: {version: .NaN}\n', { line: 2, column: 19 }],
    ['an unknown alias', 'oatf: *nowhere\n', {}],
    ['a template without quotes', 'oatf: {{version}}\n', { message: expect.stringContaining('needs quotes') }],
    [
      'an alias inside its anchor',
      'oatf: "0.1"\nattack: &a\n  execution: *a\n',
      { rule: 'V-020', line: 3, column: 14 },
    ],
  ])('%s', (_, text, expected) => {
    expect(errorsOf(text)).toMatchObject([{ kind: 'syntax', severity: 'error', ...expected }])
  })

  test.each<[title: string, text: string, kind: string]>([
    ['a list', '- oatf\n- attack\n', 'a list'],
    ['a word', 'oatf', 'a string'],
    ['a number', '42', 'an integer'],
    ['null', '~', 'null'],
    ['an explicit end', '---\n...\n', 'null'],
  ])('%s at the root', (_, text, kind) => {
    expect(errorsOf(text)).toMatchObject([
      {
        kind: 'type_mismatch',
        path: '',
        message: `the document must be a mapping with "oatf" and "attack", got ${kind}`,
      },
    ])
  })

  test.each<[title: string, text: string]>([
    ['flow sequences', '['.repeat(100_000)],
    ['closed flow sequences', `a: ${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['flow mappings', '{a: '.repeat(100_000)],
    ['block sequences', '- '.repeat(100_000)],
    ['explicit keys', '? '.repeat(100_000)],
  ])('%s 100,000 deep', (_, text) => {
    expect(errorsOf(text)).toMatchObject([{ kind: 'syntax', limit: 'yamlDepth' }])
  })

  test('a billion laughs', () => {
    const levels = Array.from({ length: 9 }, (_, level) => {
      const below = level === 0 ? '"lol"' : `*l${level - 1}`
      return `  x-l${level}: &l${level} [${Array(10).fill(below).join(', ')}]`
    })
    const text = `oatf: "0.1"\nattack:\n${levels.join('\n')}\n`
    expect(errorsOf(text)).toMatchObject([{ kind: 'syntax', limit: 'yamlAliasNodes', rule: 'V-020' }])
  })

  test('the limits can be set', () => {
    expect(errorsOf(minimalText, { limits: { yamlDepth: 5 } })).toEqual([])
    expect(errorsOf(minimalText, { limits: { yamlDepth: 4 } })).toMatchObject([{ limit: 'yamlDepth' }])
    expect(errorsOf(minimalText, { limits: { yamlBytes: 20 } })).toMatchObject([{ limit: 'yamlBytes' }])
    const shared = minimalText.replace('tools: []', 'tools: &t [1, 2]\n      prompts: *t')
    expect(errorsOf(shared, { limits: { yamlAliasNodes: 1 } })).toMatchObject([{ limit: 'yamlAliasNodes' }])
    expect(errorsOf(shared, { limits: { yamlAliasNodes: 2 } })).toEqual([])
  })
})

test('JSON is YAML', () => {
  expect(parse('{"oatf":"0.1","attack":{"execution":{"mode":"mcp_server","state":{"a":[1,"\\u0041",null]}}}}')).toEqual(
    {
      ok: true,
      value: { oatf: '0.1', attack: { execution: { mode: 'mcp_server', state: { a: [1, 'A', null] } } } },
    },
  )
})

test.each([
  ['\r\n', minimalText.replaceAll('\n', '\r\n')],
  ['a byte order mark', `\ufeff${minimalText}`],
  ['document marks', `%YAML 1.2\n---\n${minimalText}...\n`],
])('%j makes no difference', (_, text) => {
  expect(parse(text)).toEqual(parse(minimalText))
})
