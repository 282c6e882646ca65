import { describe, expect, test } from 'vitest'
import { finishedBefore, selectOutput } from '../../src/policies/plan.ts'
import { planOf } from '../../src/policies/table.ts'

const step = (agent: string) => ({ agent })

describe('P-03, OPEN-12: the finished agents', () => {
  const finished = (id: string, config: object) => {
    const planned = planOf({ id, config: { ...config } })
    return planned === undefined ? () => false : finishedBefore(planned)
  }

  test('in a sequence every earlier step, by its first run', () => {
    const before = finished('agf.sequential', { steps: [step('a'), step('b'), step('a')] })
    expect([before('a', 0), before('a', 1), before('b', 1), before('b', 2), before('c', 2)]).toEqual([
      false,
      true,
      false,
      true,
      false,
    ])
  })

  test('in parallel no step', () => {
    expect(finished('agf.parallel', { agents: [step('a'), step('b')] })('a', 1)).toBe(false)
  })
})

test.each([
  [undefined, { kind: 'strategy', strategy: 'merge' }],
  ['last', { kind: 'strategy', strategy: 'last' }],
  ['writer', { kind: 'agent', alias: 'writer' }],
  [{ agent: 'last' }, { kind: 'agent', alias: 'last' }],
  [{ agent: '' }, { kind: 'agent', alias: '' }],
  [{ strategy: 'first', description: 'the draft' } as const, { kind: 'strategy', strategy: 'first' }],
  [{ custom_transform: 'acme.join' }, { kind: 'custom_transform', name: 'acme.join' }],
])('OPEN-29: output_from %j', (from, selection) => {
  expect(selectOutput(from, 'merge')).toEqual(selection)
})
