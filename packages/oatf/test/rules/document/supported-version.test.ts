import { testRule } from '../harness.ts'

testRule('V-001', {
  valid: ['oatf: "0.1"\nattack: {}'],
  invalid: [
    ['oatf: "0.2"\nattack: {}', 'oatf'],
    ['attack: {}', 'oatf'],
    ['oatf: 0.1', 'oatf'],
  ],
  message: '"0.2" is not supported',
})
