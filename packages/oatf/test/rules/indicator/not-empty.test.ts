import { testRule } from '../harness.ts'

testRule('V-006', {
  valid: ['attack: {indicators: [{}]}', 'attack: {}', 'attack: text'],
  invalid: [
    ['attack: {indicators: []}', 'attack.indicators'],
    ['attack: {indicators: {}}', 'attack.indicators'],
    ['attack: {indicators: null}', 'attack.indicators'],
  ],
  message: 'expected at least one indicator',
})
