import type { Value } from '@joust/source'
import { describe, expect, test } from 'vitest'
import type { Document } from '../src/model/document.ts'
import { normalize } from '../src/normalize.ts'
import { deepFreeze } from './deep-value.ts'
import { fullDocument } from './documents.ts'

const document = (attack: Value): Document => ({ oatf: '0.1', attack }) as unknown as Document
const always = { name: 'Untitled', version: 1, status: 'draft' }

describe('all steps together', () => {
  test('the single-phase form', () => {
    const input = document({
      id: 'ACME-001',
      severity: 'high',
      classification: { tags: ['Rug_Pull'], mappings: [{ framework: 'cwe', id: 'CWE-1' }] },
      execution: { mode: 'mcp_server', state: { tools: [] } },
      indicators: [
        { target: 'a', pattern: { contains: 'x' } },
        { target: 'b', semantic: { intent: 'i' } },
        { target: 'c', expression: { cel: 'true' } },
      ],
    })
    expect(normalize(input)).toEqual(
      document({
        ...always,
        id: 'ACME-001',
        severity: { level: 'high', confidence: 50 },
        classification: { tags: ['rug-pull'], mappings: [{ framework: 'cwe', id: 'CWE-1', relationship: 'primary' }] },
        execution: {
          actors: [{ name: 'default', mode: 'mcp_server', phases: [{ name: 'phase-1', state: { tools: [] } }] }],
        },
        indicators: [
          { id: 'ACME-001-01', protocol: 'mcp', target: 'a', pattern: { target: 'a', condition: { contains: 'x' } } },
          { id: 'ACME-001-02', protocol: 'mcp', target: 'b', semantic: { target: 'b', intent: 'i' } },
          { id: 'ACME-001-03', protocol: 'mcp', target: 'c', expression: { cel: 'true' } },
        ],
        correlation: { logic: 'any' },
      }),
    )
  })

  test('the multi-phase form', () => {
    const phases = [{ state: {}, trigger: { event: 'tools/call' } }, { name: 'end' }]
    expect(normalize(document({ execution: { mode: 'mcp_server', phases } }))).toEqual(
      document({
        ...always,
        execution: {
          actors: [
            {
              name: 'default',
              mode: 'mcp_server',
              phases: [{ name: 'phase-1', state: {}, trigger: { event: 'tools/call', count: 1 } }, { name: 'end' }],
            },
          ],
        },
      }),
    )
  })

  test('the multi-phase form without a mode', () => {
    const phases = [{ mode: 'a2a_client', state: {} }]
    expect(normalize(document({ execution: { phases } }))).toEqual(
      document({
        ...always,
        execution: {
          actors: [
            { name: 'default', mode: 'a2a_client', phases: [{ name: 'phase-1', mode: 'a2a_client', state: {} }] },
          ],
        },
      }),
    )
  })

  test('the multi-actor form', () => {
    const actors = [{ name: 'a', mode: 'mcp_server', phases: [{ state: {} }] }]
    expect(
      normalize(
        document({ execution: { actors }, indicators: [{ target: '', protocol: 'mcp', pattern: { condition: 1 } }] }),
      ),
    ).toEqual(
      document({
        ...always,
        execution: { actors: [{ name: 'a', mode: 'mcp_server', phases: [{ name: 'phase-1', state: {} }] }] },
        indicators: [{ id: 'indicator-01', target: '', protocol: 'mcp', pattern: { target: '', condition: 1 } }],
        correlation: { logic: 'any' },
      }),
    )
  })

  test('a fully expanded document is unchanged', () => {
    expect(normalize(fullDocument as unknown as Document)).toEqual(fullDocument)
  })

  test('a document without indicators gets none, and no correlation', () => {
    const { attack } = normalize(document({ execution: { mode: 'mcp_server', state: {} } }))
    expect(attack).not.toHaveProperty('indicators')
    expect(attack).not.toHaveProperty('correlation')
    expect(attack).not.toHaveProperty('severity')
  })
})

describe('copy semantics', () => {
  const input = (): Document =>
    document({
      severity: 'low',
      execution: { mode: 'mcp_server', state: { tools: [{ a: 1 }] } },
      indicators: [{ target: 'a', pattern: { gt: 1 } }],
    })

  test('the input is not written to', () => {
    const frozen = deepFreeze(input())
    normalize(frozen)
    expect(frozen).toEqual(input())
  })

  test('the output shares nothing with it', () => {
    const original = input()
    const state = normalize(original).attack.execution.actors?.[0]?.phases[0]?.state as { tools: { a: number }[] }
    state.tools.push({ a: 2 })
    expect(original).toEqual(input())
  })

  test('a second time changes nothing', () => {
    const once = normalize(input())
    expect(normalize(deepFreeze(once))).toEqual(once)
  })
})

test('extensions stay where they were', () => {
  const normal = normalize(
    document({
      'x-attack': [1],
      execution: {
        mode: 'mcp_server',
        'x-execution': 1,
        phases: [{ state: {}, 'x-phase': { a: null }, on_enter: [{ log: { message: 'm' }, 'x-action': '' }] }],
      },
      indicators: [{ target: '', pattern: { condition: 1 }, 'x-indicator': true }],
    }),
  )
  expect(normal.attack).toMatchObject({
    'x-attack': [1],
    execution: { 'x-execution': 1, actors: [{ phases: [{ 'x-phase': { a: null }, on_enter: [{ 'x-action': '' }] }] }] },
    indicators: [{ 'x-indicator': true }],
  })
})

test.each([[null], [5], ['text'], [[]], [{}], [{ attack: null }], [{ attack: { execution: [] } }]])(
  '%j comes back without an accident',
  (value) => {
    const garbage = value as unknown as Document
    expect(normalize(normalize(garbage))).toEqual(normalize(garbage))
  },
)
