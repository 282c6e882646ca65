import { testRule } from '../harness.ts'

const version = (value: string) => `attack: { version: ${value} }`

testRule('V-035', {
  valid: ['attack: {}', version('1'), version('4096')],
  invalid: [
    [version('0'), 'attack.version'],
    [version('-1'), 'attack.version'],
    [version('1.5'), 'attack.version'],
    [version('"2"'), 'attack.version'],
    [version('null'), 'attack.version'],
  ],
  message: 'of at least 1, got an integer (0)',
})
