import { expect, test } from 'vitest'
import { findings, testRule } from '../harness.ts'

const policy = (id: string) => ({ policy: `{ id: ${id}, config: {} }` })

testRule('OPEN-3', 'unsupported_policy', {
  severity: 'warning',
  valid: [policy('x-acme.swarm'), {}],
  invalid: [
    [policy('agf.foo'), 'execution_policy.id'],
    [policy('react'), 'execution_policy.id'],
    [policy('agf.paralel'), 'execution_policy.id'],
  ],
  message: '"agf.foo" is not a policy of Agent Format 1.0, so no run will start.',
})

test('OPEN-3 suggests a similar standard policy', () => {
  for (const id of ['agf.reakt', 'react', 'reakt']) {
    expect(findings('OPEN-3', 'unsupported_policy', policy(id))[0]?.suggestion?.with).toBe('agf.react')
  }
})
