import { testRule } from '../harness.ts'

const impact = (items: string) => `attack: { impact: ${items} }`

testRule('V-045', {
  valid: ['attack: {}', impact('[]'), impact('[data_exfiltration, credential_theft]'), impact('data_exfiltration')],
  invalid: [
    [impact('[data_tampering, credential_theft, data_tampering, credential_theft, data_tampering]'), 'attack.impact'],
    [impact('[5, 5]'), 'attack.impact'],
  ],
  message: 'duplicate impact "data_tampering", "credential_theft"',
})
