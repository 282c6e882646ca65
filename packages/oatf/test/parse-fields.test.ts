import { formatPath, type Path, type Value } from '@joust/source'
import { describe, expect, test } from 'vitest'
import { parse } from '../src/parse.ts'
import { asText, fullDocument, places, positionOf, withValue } from './documents.ts'

const errorsOf = (text: string) => {
  const result = parse(text)
  return result.ok ? [] : result.error
}

const { attack, actor, phase, extractor, trigger, pattern, expression, semantic, mapping, reference } = places

// SDK §2: the type that each field must have, and the rule that a wrong one would break.
const texts: [path: Path, rule?: string][] = [
  [['oatf'], 'V-001'],
  [['$schema']],
  [[...attack, 'id'], 'V-023'],
  [[...attack, 'name']],
  [[...attack, 'author']],
  [[...attack, 'description']],
  [[...attack, 'grace_period'], 'V-046'],
  [[...attack, 'classification', 'tags', 1]],
  [[...mapping, 'framework']],
  [[...mapping, 'id']],
  [[...mapping, 'name']],
  [[...mapping, 'url']],
  [[...reference, 'url']],
  [[...reference, 'title']],
  [[...reference, 'description']],
  [[...actor, 'name'], 'V-031'],
  [[...actor, 'mode'], 'V-031'],
  [[...phase, 'name']],
  [[...phase, 'description']],
  [[...phase, 'mode'], 'V-034'],
  [[...extractor, 'name'], 'V-037'],
  [[...extractor, 'selector']],
  [[...phase, 'on_enter', 0, 'send', 'method']],
  [[...phase, 'on_enter', 1, 'log', 'message']],
  [[...trigger, 'event']],
  [[...trigger, 'after'], 'V-036'],
  [[...trigger, 'match', 'arguments.door', 'regex'], 'V-013'],
  [[...pattern, 'id']],
  [[...pattern, 'protocol'], 'V-034'],
  [[...pattern, 'surface']],
  [[...pattern, 'target'], 'V-021'],
  [[...pattern, 'actor'], 'V-048'],
  [[...pattern, 'description']],
  [[...pattern, 'pattern', 'target'], 'V-021'],
  [[...pattern, 'pattern', 'condition', 'regex'], 'V-013'],
  [[...pattern, 'false_positives', 0]],
  [[...expression, 'cel'], 'V-014'],
  [[...expression, 'variables', 'name'], 'V-026'],
  [[...semantic, 'target'], 'V-021'],
  [[...semantic, 'intent']],
  [[...semantic, 'examples', 'positive', 0]],
  [[...semantic, 'examples', 'negative', 0]],
]
const enumerations: Path[] = [
  [...attack, 'status'],
  [...attack, 'severity'],
  [...attack, 'severity', 'level'],
  [...attack, 'impact', 1],
  [...attack, 'classification', 'category'],
  [...mapping, 'relationship'],
  [...extractor, 'source'],
  [...extractor, 'type'],
  [...phase, 'on_enter', 1, 'log', 'level'],
  [...pattern, 'direction'],
  [...pattern, 'method'],
  [...pattern, 'tier'],
  [...pattern, 'severity'],
  [...semantic, 'intent_class'],
  [...attack, 'correlation', 'logic'],
]
const numbers: [path: Path, rule?: string][] = [
  [[...attack, 'version'], 'V-035'],
  [[...attack, 'severity', 'confidence'], 'V-017'],
  [[...trigger, 'count']],
  [[...pattern, 'confidence'], 'V-025'],
  [[...semantic, 'threshold'], 'V-022'],
]
const collections: [path: Path, rule?: string][] = [
  [[...attack], 'V-003'],
  [[...attack, 'impact'], 'V-005'],
  [[...attack, 'classification']],
  [[...attack, 'classification', 'mappings']],
  [mapping],
  [[...attack, 'classification', 'tags']],
  [[...attack, 'references']],
  [reference],
  [[...attack, 'execution'], 'V-004'],
  [[...attack, 'execution', 'actors']],
  [actor],
  [[...actor, 'phases'], 'V-031'],
  [phase, 'V-031'],
  [[...phase, 'extractors']],
  [extractor],
  [[...phase, 'on_enter']],
  [[...phase, 'on_enter', 0]],
  [[...phase, 'on_enter', 0, 'send']],
  [[...phase, 'on_enter', 1, 'log']],
  [trigger],
  [[...trigger, 'match']],
  [[...attack, 'indicators']],
  [pattern],
  [[...pattern, 'pattern']],
  [[...pattern, 'false_positives']],
  [expression],
  [[...expression, 'variables'], 'V-026'],
  [semantic],
  [[...semantic, 'examples']],
  [[...semantic, 'examples', 'positive']],
  [[...attack, 'correlation']],
]

interface Expected {
  kind: string
  rule: string | undefined
  path: Path
}

/** Exactly one wrong value is reported, with all there is to know about it. */
function expectOneError(document: Value, marker: string, { kind, rule, path }: Expected): void {
  const text = asText(document)
  const errors = errorsOf(text)
  expect(errors).toHaveLength(1)
  expect(errors[0]).toMatchObject({ severity: 'error', kind, path: formatPath(path), code: rule ?? kind })
  expect(errors[0]).toMatchObject(positionOf(text, marker))
  expect(errors[0]?.rule).toBe(rule)
  if (rule !== undefined) expect(errors[0]?.spec_ref).toMatch(/^§/)
}

describe('wrong types', () => {
  const named = <Row extends readonly [Path, ...unknown[]]>(rows: readonly Row[]) =>
    rows.map((row) => [formatPath(row[0]), row[0], row[1] as string | undefined] as const)

  test.each(named(texts))('%s must be a string', (_, path, rule) => {
    const error = { kind: 'type_mismatch', rule, path }
    expectOneError(withValue(fullDocument, path, 918273), '918273', error)
    expectOneError(withValue(fullDocument, path, null), 'null', error)
  })

  test.each(named(numbers))('%s must be a number', (_, path, rule) => {
    expectOneError(withValue(fullDocument, path, '#here'), '"#here"', { kind: 'type_mismatch', rule, path })
  })

  test.each(named(numbers.slice(0, 4)))('%s must be a whole number', (_, path, rule) => {
    expectOneError(withValue(fullDocument, path, 1.918273), '1.918273', { kind: 'type_mismatch', rule, path })
  })

  test.each(named(collections))('%s must be a collection', (_, path, rule) => {
    expectOneError(withValue(fullDocument, path, '#here'), '"#here"', { kind: 'type_mismatch', rule, path })
  })

  test.each(enumerations.map((path) => [formatPath(path), path] as const))(
    '%s must be one of its values',
    (_, path) => {
      // Tiers have a rule of their own.
      const error = { rule: path.at(-1) === 'tier' ? 'V-050' : 'V-005', path }
      expectOneError(withValue(fullDocument, path, '#here'), '"#here"', { ...error, kind: 'unknown_variant' })
      expectOneError(withValue(fullDocument, path, 918273), '918273', { ...error, kind: 'type_mismatch' })
    },
  )

  test.each([['created'], ['modified']])('%s must be a date', (field) => {
    const path = ['attack', field]
    for (const wrong of ['#here', '2026-02-30']) {
      expectOneError(withValue(fullDocument, path, wrong), `"${wrong}"`, {
        kind: 'type_mismatch',
        rule: undefined,
        path,
      })
    }
  })

  test.each<[operator: string, operand: Value]>([
    ['contains', 918273],
    ['starts_with', 918273],
    ['ends_with', 918273],
    ['any_of', 918273],
    ['gt', '918273'],
    ['lt', '918273'],
    ['gte', '918273'],
    ['lte', '918273'],
    ['exists', '918273'],
  ])('the operand of %s, in a condition, in shorthand and in a predicate', (operator, operand) => {
    const error = { kind: 'type_mismatch', rule: undefined }
    const marker = JSON.stringify(operand)
    const condition: Path = [...pattern, 'pattern', 'condition', operator]
    expectOneError(withValue(fullDocument, condition, operand), marker, { ...error, path: condition })
    const entry: Path = [...trigger, 'match', 'arguments.door', operator]
    expectOneError(withValue(fullDocument, entry, operand), marker, { ...error, path: entry })
    if (operator === 'exists') return
    const shorthand = withValue(fullDocument, [...pattern, 'pattern'], { [operator]: operand })
    expectOneError(shorthand, marker, { ...error, path: [...pattern, 'pattern', operator] })
  })

  test('null is never a value of a field', () => {
    expect(errorsOf('oatf: "0.1"\nattack:\n  name:\n  execution: ~\n')).toMatchObject([
      { path: 'attack.name', line: 3, kind: 'type_mismatch', message: 'expected a string, got null' },
      { path: 'attack.execution', line: 4, rule: 'V-004' },
    ])
  })
})

describe('missing fields', () => {
  test.each<[path: Path, rule?: string]>([
    [['oatf'], 'V-001'],
    [['attack'], 'V-003'],
    [['attack', 'execution'], 'V-004'],
    [['attack', 'severity', 'level'], 'V-005'],
    [[...mapping, 'framework']],
    [[...mapping, 'id']],
    [[...reference, 'url']],
    [[...actor, 'name'], 'V-031'],
    [[...actor, 'mode'], 'V-031'],
    [[...actor, 'phases'], 'V-031'],
    [[...extractor, 'name'], 'V-037'],
    [[...extractor, 'source'], 'V-005'],
    [[...extractor, 'type'], 'V-005'],
    [[...extractor, 'selector']],
    [[...phase, 'on_enter', 0, 'send', 'method']],
    [[...phase, 'on_enter', 1, 'log', 'message']],
    [[...pattern, 'target'], 'V-021'],
    [[...expression, 'cel'], 'V-014'],
    [[...semantic, 'intent']],
  ])('%j', (path, rule) => {
    const errors = errorsOf(asText(withValue(fullDocument, path)))
    expect(errors).toHaveLength(1)
    const name = path.at(-1)
    expect(errors[0]).toMatchObject({
      kind: 'type_mismatch',
      path: formatPath(path),
      message: `the field "${name}" is required`,
    })
    expect(errors[0]?.rule).toBe(rule)
  })

  test('a missing field is shown at what should hold it', () => {
    const text = `attack:
  severity:
    confidence: 5
  execution:
    actors:
      - name: a
        phases: []
  indicators:
    - pattern: {contains: x}
`
    expect(errorsOf(text).map(({ path, line, column }) => [path, line, column])).toEqual([
      ['oatf', 1, 1],
      ['attack.severity.level', 2, 3],
      ['attack.execution.actors[0].mode', 6, 9],
      ['attack.indicators[0].target', 9, 7],
    ])
  })
})

describe('unknown fields', () => {
  const closed: Path[] = [
    [],
    [...attack, 'severity'],
    [...attack, 'classification'],
    mapping,
    reference,
    extractor,
    [...phase, 'on_enter', 0, 'send'],
    [...phase, 'on_enter', 1, 'log'],
    trigger,
    [...trigger, 'match', 'arguments.door'],
    [...pattern, 'pattern'],
    [...pattern, 'pattern', 'condition'],
    expression,
    semantic,
    [...semantic, 'examples'],
    [...attack, 'correlation'],
  ]
  const extensible: Path[] = [attack, [...attack, 'execution'], actor, phase, pattern]

  test.each([...closed, ...extensible].map((path) => [formatPath(path), path] as const))('in %j', (_, path) => {
    const document = withValue(fullDocument, [...path, '#here'], 1)
    expectOneError(document, '"#here"', { kind: 'type_mismatch', rule: undefined, path: [...path, '#here'] })
  })

  // §10.3 lists what may be extended.
  test.each(closed.map((path) => [formatPath(path), path] as const))('no extension in %j', (_, path) => {
    const document = withValue(fullDocument, [...path, 'x-here'], 1)
    expectOneError(document, '"x-here"', { kind: 'type_mismatch', rule: undefined, path: [...path, 'x-here'] })
  })

  test.each([...extensible, [...phase, 'on_enter', 0]].map((path) => [formatPath(path), path] as const))(
    'an extension in %j',
    (_, path) => {
      const document = withValue(fullDocument, [...path, 'x-acme'], { any: ['thing', null] })
      expect(parse(asText(document))).toEqual({ ok: true, value: document })
    },
  )

  test('an action may have any key: a binding may define it', () => {
    expect(
      errorsOf(asText(withValue(fullDocument, [...phase, 'on_enter', 2], { delay_ms: 500, 'x-why': 'to wait' }))),
    ).toEqual([])
  })

  test.each<[title: string, value: Value]>([
    ['fields of any protocol version', { tools: [{ inputSchema: { $ref: '#' }, __meta: 1, 'x-a': 1, '': 0 }] }],
    ['fields that look like ours', { nmae: 1, indicators: 'text', oatf: 5, attack: null, trigger: [] }],
    [
      'prototype names',
      JSON.parse('{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}}'),
    ],
  ])('in a state: %s', (_, state) => {
    const document = withValue(fullDocument, [...phase, 'state'], state)
    const result = parse(asText(document))
    expect(result).toEqual({ ok: true, value: document })
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })

  test('in the parameters of a send action', () => {
    expect(
      errorsOf(
        asText(withValue(fullDocument, [...phase, 'on_enter', 0, 'send', 'params'], { anything: [{ goes: null }] })),
      ),
    ).toEqual([])
  })

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('%s is unknown like any other', (key) => {
    const errors = errorsOf(`oatf: "0.1"\nattack:\n  ${key}: {a: 1}\n  execution: {mode: mcp_server, state: {}}\n`)
    expect(errors).toMatchObject([{ path: `attack.${key}`, kind: 'type_mismatch', line: 3, column: 3 }])
  })
})
