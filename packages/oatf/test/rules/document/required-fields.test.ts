import { testRule } from '../harness.ts'

testRule('V-004', {
  valid: ['attack: { execution: {} }', 'oatf: "0.1"', 'attack: []'],
  invalid: [
    ['attack: { name: Poisoned calculator }', 'attack.execution'],
    ['attack: { execution: null }', 'attack.execution'],
    ['attack: { execution: [state] }', 'attack.execution'],
  ],
  message: 'the field "execution" is required',
})
