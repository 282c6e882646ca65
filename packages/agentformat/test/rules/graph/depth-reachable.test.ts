import { expect, test } from 'vitest'
import { findings, steps } from '../harness.ts'

test('OPEN-37: under a sufficient limit a model can reach everything', () => {
  const middle = { policy: steps('sequential', ['leaf']), agents: { leaf: {} } }
  const react = { constraints: '{ limits: { max_delegation_depth: 2 } }', agents: { leaf: {}, middle } }
  expect(findings('OPEN-37', 'depth_impossible', react)).toEqual([])
})

test('OPEN-37: a limit of zero without anybody to delegate to is fine', () => {
  expect(findings('OPEN-37', 'depth_impossible', { constraints: '{ limits: { max_delegation_depth: 0 } }' })).toEqual(
    [],
  )
})

test('OPEN-37: the limit and the agents that it cuts off are named', () => {
  const react = { constraints: '{ limits: { max_delegation_depth: 0 } }', agents: { a: {}, b: {} } }
  expect(findings('OPEN-37', 'depth_impossible', react)).toMatchObject([
    {
      severity: 'warning',
      path: 'constraints.limits.max_delegation_depth',
      message: 'under this limit the model can never use "a", "b"',
    },
  ])
})
