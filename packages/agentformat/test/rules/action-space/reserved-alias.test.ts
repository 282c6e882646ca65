import { expect, test } from 'vitest'
import { findings, testRule } from '../harness.ts'

const parent = { space: '{ local_agents: [{ alias: parent, source: ./x.agf.yaml }] }' }

testRule('OPEN-46', 'reserved_alias', {
  severity: 'warning',
  valid: [
    { space: '{ local_tools: [{ alias: parent }] }' },
    // Strategy names are fine: the object form of output_from reaches them.
    { space: '{ local_agents: [{ alias: last, source: ./x.agf.yaml }] }' },
  ],
  invalid: [[parent, 'action_space.local_agents[0].alias']],
  message: 'cannot reach a local agent called "parent"',
})

test('OPEN-46 reserved_alias is an error in strict mode', () => {
  expect(findings('OPEN-46', 'reserved_alias', parent, true)).toMatchObject([{ severity: 'error' }])
})
