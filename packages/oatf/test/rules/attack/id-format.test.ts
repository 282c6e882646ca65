import { testRule } from '../harness.ts'

const id = (value: string) => `attack: { id: ${value} }`

testRule('V-023', {
  valid: ['attack: {}', id('ACME-001'), id('A-1042'), id('ACME-RED-2-007')],
  invalid: [
    [id('acme_7'), 'attack.id'],
    [id('ACME'), 'attack.id'],
    [id('ACME-01'), 'attack.id'],
    [id('7ACME-001'), 'attack.id'],
    [id('"ACME-001\\n"'), 'attack.id'],
    [id('7'), 'attack.id'],
  ],
  message: 'invalid attack id "acme_7"',
})
