import { testRule } from '../harness.ts'

testRule('W-007', {
  valid: ['attack: {indicators: [{pattern: {}}, {expression: {}}, {method: semantic}, text]}'],
  invalid: [
    ['attack: {indicators: [{semantic: {intent: x}}]}', 'attack.indicators[0].semantic'],
    [
      'attack: {indicators: [{}, {semantic: {}}, {semantic: x}]}',
      'attack.indicators[1].semantic',
      'attack.indicators[2].semantic',
    ],
  ],
  message: 'experimental',
})
