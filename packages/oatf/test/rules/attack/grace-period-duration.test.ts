import { testRule } from '../harness.ts'

const gracePeriod = (value: string) => `attack: { grace_period: ${value} }`

testRule('V-046', {
  valid: ['attack: {}', gracePeriod('30s'), gracePeriod('0s'), gracePeriod('PT5M'), gracePeriod('P1DT12H')],
  invalid: [
    [gracePeriod('30 seconds'), 'attack.grace_period'],
    [gracePeriod('-5s'), 'attack.grace_period'],
    [gracePeriod('PT'), 'attack.grace_period'],
    [gracePeriod('30'), 'attack.grace_period'],
    [gracePeriod('null'), 'attack.grace_period'],
  ],
  message: '"30 seconds" is not a duration',
})
