import { describe, expect, test } from 'vitest'
import type { Document } from '../src/model/document.ts'
import { loadOnDemand, parse, serializeOnDemand, validateOnDemand } from '../src/on-demand.ts'
import { serialize } from '../src/serialize.ts'
import { validate } from '../src/validate.ts'
import { asText, fullDocument, minimalText } from './documents.ts'
import { sampleDocuments } from './generators.ts'

const parsed = (text: string): Document => {
  const result = parse(text)
  if (!result.ok) throw new Error('the text has the right shape')
  return result.value
}

describe('validateOnDemand says what validate says', () => {
  const withPhase = (fields: string) =>
    minimalText.replace(/mode[\s\S]*/, `mode: mcp_server\n    phases:\n      - state: {}\n        ${fields}\n`)
  const withIndicator = (fields: string) => `${minimalText}  indicators:\n    - target: ""\n      ${fields}\n`

  test.each([
    ['nothing to load', minimalText],
    ['both', asText(fullDocument)],
    ['broken CEL', withIndicator('expression: {cel: "1 +"}')],
    ['broken JSONPath', withPhase('extractors: [{name: a, source: request, type: json_path, selector: "$.["}]')],
    ['a broken regex', withIndicator('pattern: {regex: "("}')],
    ['other errors', minimalText.replace('"0.1"', '"7"')],
  ])('%s', async (title, text) => {
    const expected = validate(parsed(text))
    expect(await validateOnDemand(parsed(text))).toEqual(expected)
    if (title.includes('broken')) expect(expected.errors).toHaveLength(1)
  })

  test('any document', async () => {
    for (const document of sampleDocuments(40, 11)) {
      expect(await validateOnDemand(document)).toEqual(validate(document))
    }
  })

  test('limits are kept', async () => {
    const limits = { documentExpressions: 0 }
    const document = parsed(asText(fullDocument))
    expect(validate(document, { limits }).errors.length).toBeGreaterThan(2)
    expect(await validateOnDemand(document, { limits })).toEqual(validate(document, { limits }))
  })

  test.each([[null], [5], [[]], [{ attack: { indicators: [null, { expression: 5 }] } }]])(
    'garbage: %j',
    async (value) => {
      const document = value as unknown as Document
      expect(await validateOnDemand(document)).toEqual(validate(document))
    },
  )
})

describe('loadOnDemand reports the shape and the rules of a document together', () => {
  const findings = async (text: string) => {
    const loaded = await loadOnDemand(text)
    return loaded.ok ? [] : loaded.error.map(({ code, path }) => `${code} ${path}`)
  }

  test('modes, ids, tiers, durations, expressions and names beside unknown fields and wrong types', async () => {
    const text = `oatf: "0.1"
attack:
  id: joust-1
  version: 0
  severity: extreme
  grace_period: 10 seconds
  execution:
    actors:
      - name: Shop
        mode: mcpserver
        phases:
          - name: one
            states: { tools: [] }
            trigger: { event: tools/call, count: many }
  indicators:
    - id: X
      protocol: MCP
      target: arguments
      tier: breach
      pattern: { contain: box }
    - target: 7
      protocol: mcp
      pattern: { regex: "(" }
    - target: name
      protocol: mcp
      expression: { cel: "1 +", extra: 1 }
`
    expect(await findings(text)).toEqual([
      'V-023 attack.id',
      'V-035 attack.version',
      'V-005 attack.severity',
      'V-046 attack.grace_period',
      'V-031 attack.execution.actors[0].name',
      'V-034 attack.execution.actors[0].mode',
      'type_mismatch attack.execution.actors[0].phases[0].states',
      'type_mismatch attack.execution.actors[0].phases[0].trigger.count',
      'V-024 attack.indicators[0].id',
      'V-034 attack.indicators[0].protocol',
      'V-050 attack.indicators[0].tier',
      'type_mismatch attack.indicators[0].pattern.contain',
      'V-021 attack.indicators[1].target',
      'V-013 attack.indicators[1].pattern.regex',
      'V-014 attack.indicators[2].expression.cel',
      'type_mismatch attack.indicators[2].expression.extra',
    ])
  })

  test.each([
    ['a form', 'execution: { mode: mcp_server, stat: { tools: [] } }', 'type_mismatch attack.execution.stat'],
    [
      'an actor',
      `execution: { actors: [{ nam: shop, mode: mcp_server, phases: [{ state: {} }] }] }
  indicators: [{ protocol: mcp, actor: shop, target: name, pattern: { contains: a } }]`,
      'type_mismatch attack.execution.actors[0].nam',
      'V-031 attack.execution.actors[0].name',
    ],
    [
      'an event',
      'execution: { mode: mcp_server, phases: [{ state: {}, trigger: { evnt: tools/call, count: 2 } }, {}] }',
      'type_mismatch attack.execution.phases[0].trigger.evnt',
    ],
    [
      'indicators',
      'execution: { mode: mcp_server, state: {} }\n  indicator: []\n  correlation: { logic: all }',
      'type_mismatch attack.indicator',
    ],
    [
      'an anchor',
      'name: &a 7\n  author: *a\n  execution: { mode: mcp_server, state: {} }',
      'V-020 attack.name',
      'type_mismatch attack.name',
      'V-020 attack.author',
      'type_mismatch attack.author',
    ],
  ])('a wrong shape is reported once, and nothing that only follows from it: %s', async (_, attack, ...expected) => {
    expect((await findings(`oatf: "0.1"\nattack:\n  ${attack}\n`)).sort()).toEqual(expected.sort())
  })

  test.each([
    ['a tier', 'tier: breach, target: name', 'V-050 attack.indicators[0].tier'],
    ['a missing target', 'tier: ingested', 'V-021 attack.indicators[0].target'],
    [
      'an unknown field of the pattern',
      'target: name, pattern: { contain: a }',
      'type_mismatch attack.indicators[0].pattern.contain',
    ],
  ])('a wrong part hides nothing about the mapping that holds it: %s', async (_, fields, fault) => {
    const pattern = fields.includes('pattern') ? '' : ', pattern: { contains: a }'
    const text = `oatf: "0.1"
attack:
  execution:
    actors: [{ name: shop, mode: mcp_server, phases: [{ name: one, trigger: { count: 2 } }, { name: one }] }]
  indicators:
    - { ${fields}${pattern} }
    - { target: name, pattern: { contains: b } }
    - { target: name, actor: shoop }
  correlation: { logic: some }
`
    expect((await findings(text)).sort()).toEqual(
      [
        fault,
        'V-005 attack.correlation.logic',
        'V-009 attack.execution.actors[0].phases[0]',
        'V-011 attack.execution.actors[0].phases[1].name',
        'V-012 attack.indicators[2]',
        'V-019 attack.execution.actors[0].phases[0].trigger',
        ...[0, 1, 2].map((index) => `V-028 attack.indicators[${index}].protocol`),
        'V-040 attack.execution.actors[0].phases[0].trigger',
        'V-048 attack.indicators[2].actor',
      ].sort(),
    )
  })

  test('an unknown field hides only what may follow from it', async () => {
    const text = `oatf: "0.1"
attack:
  execution:
    actors: [{ name: shop, mode: mcp_server, phases: [{ stat: {} }] }]
  indicators:
    - { target: name, protcol: mcp, pattern: { contains: a } }
    - { target: name, actor: shoop, pattern: { contains: b } }
`
    expect((await findings(text)).sort()).toEqual([
      'V-028 attack.indicators[1].protocol',
      'type_mismatch attack.execution.actors[0].phases[0].stat',
      'type_mismatch attack.indicators[0].protcol',
    ])
  })

  test('a repeated phase name of an actor is one finding', async () => {
    const phases = 'phases: [{ name: one, state: {}, trigger: { event: tools/call } }, { name: one }]'
    const text = `oatf: "0.1"\nattack:\n  execution: { actors: [{ name: shop, mode: mcp_server, ${phases} }] }\n  indicators: [{ protocol: mcp, target: name, pattern: { contains: a } }]\n`
    expect(await findings(text)).toEqual(['V-011 attack.execution.actors[0].phases[1].name'])
  })

  test.each(['7', '[]', 'null', '"text"'])('a text that is not a mapping: %s', async (text) => {
    expect(await findings(text)).toHaveLength(1)
  })
})

test('serializeOnDemand writes what serialize writes', async () => {
  expect(await serializeOnDemand(parsed(minimalText))).toBe(serialize(parsed(minimalText)))
})
