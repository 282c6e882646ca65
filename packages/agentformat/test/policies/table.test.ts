import { describe, expect, test } from 'vitest'
import type { PolicyPlan } from '../../src/policies/plan.ts'
import { planOf } from '../../src/policies/table.ts'

const step = (agent: string) => ({ agent })
const plan = (id: string, config: object): PolicyPlan | undefined => planOf({ id, config: { ...config } })

describe('plans', () => {
  test('agf.sequential: steps in order, the last one is the result', () => {
    expect(plan('agf.sequential', { steps: [step('a'), step('b')] })).toMatchObject({
      order: 'sequence',
      delegations: [
        { alias: 'a', path: ['execution_policy', 'config', 'steps', 0, 'agent'] },
        { alias: 'b', mappingPath: ['execution_policy', 'config', 'steps', 1, 'input_mapping'] },
      ],
      output: { from: { kind: 'strategy', strategy: 'last' }, path: ['execution_policy', 'config'] },
    })
  })

  test('agf.parallel: all together, merged', () => {
    expect(plan('agf.parallel', { agents: [step('a')], output_from: 'a' })).toMatchObject({
      order: 'together',
      output: { from: { kind: 'agent', alias: 'a' }, path: ['execution_policy', 'config', 'output_from'] },
    })
    expect(plan('agf.parallel', { agents: [step('a')] })?.output?.from).toEqual({ kind: 'strategy', strategy: 'merge' })
  })

  test('agf.loop: its exit condition reads every step', () => {
    const loop = plan('agf.loop', { steps: [step('a')], exit_condition: { args_match: {} } })
    expect(loop).toMatchObject({ order: 'loop', conditions: [{ place: 'exit_condition' }] })
    expect(plan('agf.loop', { steps: [step('a')] })?.conditions).toEqual([])
  })

  test('agf.conditional: routes, then the default agent, which has no mapping', () => {
    const route = { when: { args_match: {} }, agent: 'a', input_mapping: {} }
    expect(plan('agf.conditional', { routes: [route], default_agent: 'b' })).toMatchObject({
      order: 'choice',
      delegations: [
        { alias: 'a', mapping: {} },
        { alias: 'b', path: ['execution_policy', 'config', 'default_agent'] },
      ],
      conditions: [{ place: 'when', path: ['execution_policy', 'config', 'routes', 0, 'when'] }],
    })
  })

  test('agf.react has no plan, and other policies are unknown', () => {
    expect(plan('agf.react', { instructions: 'x', model: 'y' })).toMatchObject({ delegations: [], conditions: [] })
    expect(plan('x-acme.swarm', { steps: 'anything' })).toBeUndefined()
    expect(plan('agf.foo', {})).toBeUndefined()
  })
})

test('the plan of a batch is one delegation for all items', () => {
  expect(
    planOf({ id: 'agf.batch', config: { agent: 'a', input_mapping: { x: 'parent.input.items.[]' } } }),
  ).toMatchObject({
    order: 'items',
    delegations: [
      { alias: 'a', path: ['execution_policy', 'config', 'agent'], mapping: { x: 'parent.input.items.[]' } },
    ],
  })
})
