import { testRule } from '../harness.ts'

const tier = (value: string) => `attack: {indicators: [{tier: ${value}}]}`
const path = 'attack.indicators[0].tier'

testRule('V-050', {
  valid: [tier('ingested'), tier('local_action'), tier('boundary_breach'), 'attack: {indicators: [{}]}'],
  invalid: [
    [tier('boundary-breach'), path],
    [tier('breach'), path],
    [tier('none'), path],
    [tier('1'), path],
    [tier('null'), path],
  ],
  message: 'Did you mean "boundary_breach"?',
})
