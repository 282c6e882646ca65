import { testLint, withState } from '../harness.ts'

const described = (text: string) =>
  withState('mcp_server', 'tools: []', text === '' ? '' : `x-joust-remediation: ${text}`)

testLint('L-037', {
  valid: [described(''), described('Confirm payments.'), described('x'.repeat(400))],
  invalid: [
    [described('5'), 'attack.x-joust-remediation'],
    [described('" "'), 'attack.x-joust-remediation'],
    [described('x'.repeat(401)), 'attack.x-joust-remediation'],
  ],
  messages: ['expected a non-empty string', 'expected a non-empty string', 'expected at most 400 characters, got 401'],
})
