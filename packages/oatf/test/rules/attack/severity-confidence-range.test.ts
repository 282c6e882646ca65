import { testRule } from '../harness.ts'

const confidence = (value: string) => `attack: { severity: { level: high, confidence: ${value} } }`

testRule('V-017', {
  valid: ['attack: { severity: high }', 'attack: { severity: { level: high } }', confidence('0'), confidence('100')],
  invalid: [
    [confidence('-1'), 'attack.severity.confidence'],
    [confidence('101'), 'attack.severity.confidence'],
    [confidence('50.5'), 'attack.severity.confidence'],
    [confidence('"50"'), 'attack.severity.confidence'],
    [confidence('null'), 'attack.severity.confidence'],
  ],
  message: 'from 0 (no confidence) to 100 (certain), got an integer (-1)',
})
