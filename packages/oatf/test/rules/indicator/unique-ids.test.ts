import { testRule } from '../harness.ts'

testRule('V-010', {
  valid: [
    'attack: {indicators: [{id: a}, {id: b}, {}, {}]}',
    'attack: {indicators: [{id: 1}, {id: 1}, text]}',
    // Only explicit ids count, not the one that the second gets from its position.
    'attack: {indicators: [{id: indicator-02}, {}]}',
  ],
  invalid: [
    ['attack: {indicators: [{id: a}, {id: a}]}', 'attack.indicators[1].id'],
    [
      'attack: {indicators: [{id: a}, {id: b}, {id: a}, {id: a}]}',
      'attack.indicators[2].id',
      'attack.indicators[3].id',
    ],
    ['attack: {indicators: [{id: __proto__}, {id: __proto__}]}', 'attack.indicators[1].id'],
  ],
  message: 'duplicate indicator id "a"',
})
