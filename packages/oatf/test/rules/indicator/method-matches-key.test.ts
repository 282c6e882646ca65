import { testRule } from '../harness.ts'

const indicator = (fields: string) => `attack: {indicators: [{${fields}}]}`
const path = 'attack.indicators[0].method'

testRule('V-049', {
  valid: [
    indicator('method: pattern, pattern: {}'),
    indicator('method: semantic, semantic: {}, pattern: {}'),
    indicator('pattern: {}'),
    indicator('method: other, pattern: {}'),
    indicator('method: 5'),
  ],
  invalid: [
    [indicator('method: pattern, expression: {}'), path],
    [indicator('method: semantic, expression: {}, pattern: {}'), path],
    [indicator('method: expression'), path],
  ],
  message: 'the method is "pattern", but the indicator has "expression"',
})
