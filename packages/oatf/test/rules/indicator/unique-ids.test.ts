import { testRule } from '../harness.ts'

testRule('V-010', {
  valid: ['attack: {indicators: [{id: a}, {id: b}, {}, {}]}', 'attack: {indicators: [{id: 1}, {id: 1}, text]}'],
  invalid: [
    ['attack: {indicators: [{id: a}, {id: a}]}', 'attack.indicators[1].id'],
    [
      'attack: {indicators: [{id: a}, {id: b}, {id: a}, {id: a}]}',
      'attack.indicators[2].id',
      'attack.indicators[3].id',
    ],
    // The id that the second one would get from its position.
    ['attack: {indicators: [{id: indicator-02}, {}]}', 'attack.indicators[0].id'],
    ['attack: {id: ACME-001, indicators: [{}, {id: ACME-001-01}]}', 'attack.indicators[1].id'],
    ['attack: {indicators: [{id: __proto__}, {id: __proto__}]}', 'attack.indicators[1].id'],
  ],
  message: 'already has the id "a"',
})
