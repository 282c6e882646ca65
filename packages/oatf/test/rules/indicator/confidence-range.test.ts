import { testRule } from '../harness.ts'

const confidence = (value: string) => `attack: {indicators: [{confidence: ${value}}]}`
const path = 'attack.indicators[0].confidence'

testRule('V-025', {
  valid: [
    confidence('0'),
    confidence('100'),
    confidence('50'),
    'attack: {severity: {confidence: 200}, indicators: [{}]}',
  ],
  invalid: [
    [confidence('101'), path],
    [confidence('-1'), path],
    [confidence('50.5'), path],
    [confidence('"50"'), path],
    [confidence('null'), path],
  ],
  message: 'an integer from 0 to 100, got an integer (101)',
})
