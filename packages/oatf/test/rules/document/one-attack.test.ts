import { testRule } from '../harness.ts'

testRule('V-003', {
  valid: ['oatf: "0.1"\nattack: {}'],
  invalid: [
    ['oatf: "0.1"\nattack:\n  - name: one\n  - name: two', 'attack'],
    ['oatf: "0.1"', 'attack'],
    ['oatf: "0.1"\nattack: null', 'attack'],
    ['oatf: "0.1"\nattack: everything', 'attack'],
    ['[attack]', 'attack'],
  ],
  message: 'expected a mapping, got a list',
})
