import { testRule } from '../harness.ts'

const after = (value: string) => `attack: { execution: { phases: [{ trigger: { after: ${value} } }] } }`

testRule('V-036', {
  valid: [after('30s'), after('2d'), after('PT1H30M'), 'attack: { execution: { phases: [{ trigger: {} }] } }'],
  invalid: [
    [after('soon'), 'attack.execution.phases[0].trigger.after'],
    [after('PT-30S'), 'attack.execution.phases[0].trigger.after'],
    [after('1.5h'), 'attack.execution.phases[0].trigger.after'],
    [after('30'), 'attack.execution.phases[0].trigger.after'],
    [after('null'), 'attack.execution.phases[0].trigger.after'],
  ],
  message: '"soon" is not a duration',
})
