import { testRule } from '../harness.ts'

testRule('W-001', {
  valid: ['oatf: "0.1"\nattack: {}', 'attack: {}', '[oatf]'],
  invalid: [
    ['attack: {}\noatf: "0.1"', 'oatf'],
    ['$schema: https://example.com/oatf.json\noatf: "0.1"\nattack: {}', 'oatf'],
  ],
  message: 'it comes after "attack"',
})
