import { readSource } from '@joust/source'
import { describe, expect, test } from 'vitest'
import { load } from '../src/load.ts'
import { loadOnDemand } from '../src/on-demand.ts'
import { serialize } from '../src/serialize.ts'
import { asText, fullDocument, minimalText } from './documents.ts'
import { sampleDocuments } from './generators.ts'

describe('loadOnDemand has the same findings as load', () => {
  const withPhase = (fields: string) =>
    minimalText.replace(/mode[\s\S]*/, `mode: mcp_server\n    phases:\n      - state: {}\n        ${fields}\n`)
  const withIndicator = (fields: string) => `${minimalText}  indicators:\n    - target: ""\n      ${fields}\n`
  const withTask = (fields: string) => `${minimalText}  x-joust-task: { indicators: [{ target: "", ${fields} }] }\n`

  /** Getters included, functions left out. */
  const plain = (value: unknown) => JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? `${part}n` : part))

  async function expectSame(text: string, limits = {}): Promise<void> {
    const [expected, loaded] = [load(text, { limits }), await loadOnDemand(text, { limits })]
    const errors = loaded.ok ? loaded : loaded.error.filter(({ severity }) => severity === 'error')
    expect(plain(errors)).toBe(plain(expected.ok ? expected : expected.error))
  }

  test.each([
    ['nothing to load', minimalText],
    ['both', asText(fullDocument)],
    ['broken CEL', withIndicator('expression: {cel: "1 +"}')],
    ['broken CEL of a task', withTask('expression: {cel: "1 +"}')],
    ['an expression that reads what no message has', withIndicator('expression: {cel: "message.nothing == 1"}')],
    ['broken JSONPath', withPhase('extractors: [{name: a, source: request, type: json_path, selector: "$.["}]')],
    ['a broken regex', withIndicator('pattern: {regex: "("}')],
    ['other errors', minimalText.replace('"0.1"', '"7"')],
  ])('%s', (_, text) => expectSame(text))

  test('any document', async () => {
    for (const document of sampleDocuments(40, 11)) await expectSame(serialize(document))
  })

  test('limits are kept', async () => {
    const limits = { documentExpressions: 0 }
    expect(load(asText(fullDocument), { limits })).toMatchObject({ ok: false })
    await expectSame(asText(fullDocument), limits)
  })

  test('a text that has been read is not read again', async () => {
    const source = readSource(asText(fullDocument))
    if (!source.ok) throw new Error('the text is YAML')
    expect(plain(await loadOnDemand(source.value))).toBe(plain(load(asText(fullDocument))))
  })
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
      'V-048 attack.indicators[1].actor',
      'type_mismatch attack.execution.actors[0].phases[0].stat',
      'type_mismatch attack.indicators[0].protcol',
    ])
  })

  /** Two actors: the first has a key to go wrong, the second breaks a rule. */
  const two = (wrong: string, phases: string, indicator: string) => `oatf: "0.1"
attack:
  execution:
    actors:
      - { name: shop, mode: mcp_server, ${wrong} }
      - { name: mail, mode: mcp_server, phases: [${phases}] }
  indicators: [{ protocol: mcp, target: name, pattern: { contains: a } }${indicator}]
`
  const said = (text: string) => `{ state: { tools: [{ name: a, description: "${text}" }] } }`
  const early = '{ name: one, state: {} }, { name: two, state: {}, trigger: { event: tools/call } }'
  const place = 'attack.execution.actors[1].phases[0]'
  const told = `${place}.state.tools[0].description`
  const typo = 'phases: [{ state: {}, nmae: x }]'

  test.each([
    ['V-008', two('phases: [{ state: {}, triger: {} }]', early, ''), `V-008 ${place}`],
    ['V-032', two(typo, said('{{shoop.code}}'), ''), `V-032 ${told}`],
    [
      'V-048',
      two(typo, said('a'), ', { protocol: mcp, actor: shoop, target: name, pattern: { contains: b } }'),
      'V-048 attack.indicators[1].actor',
    ],
    ['W-004', two(typo, said('{{code}}'), ''), `W-004 ${told}`],
    [
      'W-005',
      two(typo, said('a'), ', { protocol: a2a, target: name, pattern: { contains: b } }'),
      'W-005 attack.indicators[1].protocol',
    ],
    ['V-032', two('phases: [{ state: {} }], zzz: 1', said('{{shoop.code}}'), ''), `V-032 ${told}`],
  ])('%s is reported for parts that are well formed, beside a wrong key elsewhere', async (_, text, expected) => {
    expect(await findings(text)).toContain(expected)
  })

  test.each([
    ['V-008', two('phases: [{ state: {} }]', '{ name: one, state: {}, triger: {} }, { name: two, state: {} }', '')],
    ['V-032', two('phases: [{ state: {} }]', said('{{shoop.code}}'), '').replace('name: shop', 'nam: shoop')],
    ['V-032', two('phases: [{ state: {} }]', said('{{shoop.code}}'), '').replace('name: shop', 'title: shoop')],
    [
      'V-048',
      two(
        'phases: [{ state: {} }]',
        said('a'),
        ', { protocol: mcp, actor: shoop, target: name, pattern: { contains: b } }',
      ).replace('name: shop', 'nmae: shoop'),
    ],
    ['W-004', two('phases: [{ state: {} }]', said('{{code}}').replace(' }] } }', ' }] }, extractor: [] }'), '')],
    [
      'W-005',
      two('phases: [{ state: {} }]', said('a'), ', { protocol: a2a, target: name, pattern: { contains: b } }').replace(
        'mode: mcp_server',
        'moed: a2a_server',
      ),
    ],
  ])('%s waits where the part that it misses may be misspelled: %#', async (code, text) => {
    const all = await findings(text)
    expect(all).toContainEqual(expect.stringContaining('type_mismatch'))
    expect(all.filter((one) => one.startsWith(code))).toEqual([])
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
