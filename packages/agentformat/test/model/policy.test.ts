import { expect, test } from 'vitest'
import { isStandardPolicyId, standardPolicy, standardPolicyIds } from '../../src/index.ts'
import { policyConfigs } from '../../src/schema/document/policies.ts'

test('the standard policies are those that have a schema', () => {
  expect([...standardPolicyIds]).toEqual(Object.keys(policyConfigs))
})

test('a standard policy has a typed configuration', () => {
  const policy = standardPolicy({ id: 'agf.batch', config: { agent: 'worker', input_mapping: {} } })
  expect(policy?.id === 'agf.batch' && policy.config.agent).toBe('worker')
})

test.each(['agf.foo', 'react', 'x-vendor.react', '', 'toString', '__proto__'])('%j is not standard', (id) => {
  expect(isStandardPolicyId(id)).toBe(false)
  expect(standardPolicy({ id, config: {} })).toBeUndefined()
})
