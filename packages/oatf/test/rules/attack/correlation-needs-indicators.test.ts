import { testRule } from '../harness.ts'

testRule('V-047', {
  valid: [
    'attack: {}',
    'attack: { indicators: [{ target: "" }], correlation: { logic: all } }',
    'attack: { indicators: [], correlation: {} }',
  ],
  invalid: [['attack: { correlation: { logic: any } }', 'attack.correlation']],
  message: '"correlation" requires "indicators"',
})
