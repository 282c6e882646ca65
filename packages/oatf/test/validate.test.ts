import type { Value } from '@joust/source'
import { describe, expect, test } from 'vitest'
import type { Document } from '../src/model/document.ts'
import { parse } from '../src/parse.ts'
import { validate } from '../src/validate.ts'
import { deepFreeze, deepList, deepRecord } from './deep-value.ts'
import { asText, fullDocument, minimalText } from './documents.ts'

function validateText(text: string) {
  const parsed = parse(text)
  if (!parsed.ok) throw new Error(parsed.error.map((error) => `${error.path}: ${error.message}`).join('\n'))
  return validate(parsed.value)
}

const asDocument = (value: unknown) => value as Document

describe('documents that conform', () => {
  test('the smallest has nothing to report', () => {
    expect(validateText(minimalText)).toEqual({ errors: [], warnings: [] })
  })

  test('the fullest has a warning for its semantic indicator only', () => {
    const { errors, warnings } = validateText(asText(fullDocument))
    expect(errors).toEqual([])
    expect(warnings.map((warning) => warning.code)).toEqual(['W-007'])
  })
})

const manyFaults = `attack:
  id: acme
  version: 0
  impact: [data_tampering, data_tampering]
  execution:
    mode: mcp_server
    phases:
      - trigger:
          count: 2
          after: soon
      - name: end
        on_enter: []
  indicators:
    - target: a..b
      pattern: {regex: "("}
    - target: ""
      expression: {cel: "1 +"}
      tier: ingested
    - target: x
  correlation: {logic: any}
oatf: "0.2"
`

describe('documents that do not', () => {
  test('all violations come at once, each with everything there is to know', () => {
    const { errors } = validateText(manyFaults)
    expect(errors.map(({ rule, path, line }) => [line, rule, path])).toEqual([
      [2, 'V-023', 'attack.id'],
      [3, 'V-035', 'attack.version'],
      [4, 'V-045', expect.stringMatching(/^attack\.impact/)],
      [8, 'V-009', 'attack.execution.phases[0]'],
      [8, 'V-019', expect.stringMatching(/^attack\.execution\.phases\[0\]\.trigger/)],
      [10, 'V-036', 'attack.execution.phases[0].trigger.after'],
      [12, 'V-043', 'attack.execution.phases[1].on_enter'],
      [14, 'V-021', 'attack.indicators[0].target'],
      [15, 'V-013', 'attack.indicators[0].pattern.regex'],
      [17, 'V-014', 'attack.indicators[1].expression.cel'],
      [19, 'V-012', 'attack.indicators[2]'],
      [21, 'V-001', 'oatf'],
    ])
    for (const error of errors) {
      expect(error).toMatchObject({ severity: 'error', code: error.rule, spec_ref: expect.stringMatching(/^§/) })
      expect(error.message.length).toBeGreaterThan(10)
      expect(error.column).toBeGreaterThan(0)
    }
  })

  test('a rule with several clauses names them all', () => {
    const { errors } = validateText(
      'oatf: "0.1"\nattack:\n  execution: {mode: mcp_server, phases: []}\n  indicators: [{target: a..b, pattern: {contains: x}}]\n',
    )
    expect(errors.map(({ rule, spec_ref }) => [rule, spec_ref])).toEqual([
      ['V-007', '§11.1.7, §11.1.8'],
      ['V-021', '§6.1, §6.2, §6.4'],
    ])
  })

  test('errors and warnings are sorted by position', () => {
    const { errors, warnings } = validateText(manyFaults)
    for (const findings of [errors, warnings]) {
      const lines = findings.map((found) => found.line ?? 0)
      expect(lines).toEqual([...lines].sort((a, b) => a - b))
    }
    expect(warnings.map((warning) => warning.code)).toEqual(['W-001'])
  })

  test('positions point at the value', () => {
    const { errors } = validateText('oatf: "0.2"\nattack: {version: -1, execution: {mode: mcp_server, state: {}}}\n')
    expect(errors.map(({ rule, line, column, end_column }) => [rule, line, column, end_column])).toEqual([
      ['V-001', 1, 7, 12],
      ['V-035', 2, 19, 21],
    ])
  })

  test('YAML beyond plain data', () => {
    const { errors } = validateText(
      minimalText.replace('tools: []', 'tools: &t []\n      prompts: *t\n      roots: !x []'),
    )
    expect(errors.map(({ rule, line, column }) => [rule, line, column])).toEqual([
      ['V-020', 6, 14],
      ['V-020', 7, 16],
      ['V-020', 8, 14],
    ])
  })
})

describe('documents built in memory', () => {
  test('are checked alike, but have no lines; paths give the order', () => {
    const { errors } = validate(
      asDocument({
        attack: { version: 0, execution: { phases: [{ mode: 'mcp_server' }] }, indicators: [{ target: '..' }] },
        oatf: '9',
      }),
    )
    expect(errors.map(({ rule, path }) => [rule, path])).toEqual([
      ['V-009', 'attack.execution.phases[0]'],
      ['V-012', 'attack.indicators[0]'],
      ['V-028', 'attack.indicators[0].protocol'],
      ['V-021', 'attack.indicators[0].target'],
      ['V-035', 'attack.version'],
      ['V-001', 'oatf'],
    ])
    for (const error of errors) expect(error).not.toHaveProperty('line')
  })

  test('a copy of a parsed document has no lines either', () => {
    const parsed = parse(manyFaults)
    if (!parsed.ok) throw new Error('the text has the right shape')
    const { errors } = validate({ ...parsed.value })
    expect(errors).toHaveLength(validate(parsed.value).errors.length)
    expect(errors.every((error) => error.line === undefined)).toBe(true)
  })

  test('are not changed', () => {
    const document = deepFreeze(structuredClone(fullDocument))
    expect(validate(asDocument(document)).errors).toEqual([])
    expect(document).toEqual(fullDocument)
  })
})

const wrong: Value[] = [null, true, 0, -1.5, '', 'text', [], [null], {}, { a: 1 }]
const places = [
  'attack',
  'execution',
  'phases',
  'actors',
  'state',
  'indicators',
  'severity',
  'classification',
  'correlation',
  'impact',
]

describe('garbage', () => {
  test.each(wrong.map((value) => [value]))('%j as a document has errors, not accidents', (value) => {
    const { errors } = validate(asDocument(value))
    expect(errors.map((error) => error.rule)).toEqual(expect.arrayContaining(['V-001', 'V-003']))
  })

  test.each(places.map((place) => [place]))('anything as %s', (place) => {
    for (const value of wrong) {
      for (const holder of [
        { [place]: value },
        { execution: { [place]: value } },
        { execution: { phases: [{ [place]: value }] } },
      ]) {
        expect(() => validate(asDocument({ oatf: '0.1', attack: holder }))).not.toThrow()
        expect(() => validate(asDocument({ oatf: value, attack: { ...holder, [place]: value } }))).not.toThrow()
      }
    }
  })

  test('a cycle and any depth in a state', () => {
    const cycle: Record<string, unknown> = { text: '{{a}}' }
    cycle.self = cycle
    for (const state of [cycle, { tools: deepList(100_000, '{{a}}') }, deepRecord(100_000, '{{a}}')]) {
      const result = validate(asDocument({ oatf: '0.1', attack: { execution: { mode: 'mcp_server', state } } }))
      expect(result.errors).toMatchObject([{ code: 'limit' }])
    }
  })
})

describe('wire and clock: each bad document is refused by its rule', () => {
  const refusals = (attack: object) =>
    validate(asDocument({ oatf: '0.1', attack })).errors.map(({ rule, path }) => `${rule} ${path}`)
  const server = { mode: 'mcp_server', state: { tools: [] } }

  test('`execution.mode` together with `actors`', () => {
    const actors = [{ name: 'a', mode: 'mcp_server', phases: [{ state: {} }] }]
    expect(refusals({ execution: { actors } })).toEqual([])
    expect(refusals({ execution: { mode: 'mcp_server', actors } })).toEqual(['V-030 attack.execution.mode'])
  })

  test('`examples: {}`', () => {
    const looking = (examples: object) => ({
      execution: server,
      indicators: [{ target: '', semantic: { intent: 'x', examples } }],
    })
    expect(refusals(looking({ positive: ['a'] }))).toEqual([])
    expect(refusals(looking({}))).toEqual(['V-012 attack.indicators[0].semantic.examples'])
  })
})
