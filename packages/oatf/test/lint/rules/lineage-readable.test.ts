import { testLint, withState } from '../harness.ts'

const attack = (lines: string) => withState('mcp_server', 'tools: []', lines)

testLint('L-045', {
  valid: [attack(''), attack('x-joust-parent: 1f3a\nx-joust-mutations: [german, base64]')],
  invalid: [
    [attack('x-joust-parent: [a]'), 'attack.x-joust-parent'],
    [attack('x-joust-mutations: base64'), 'attack.x-joust-mutations'],
    [attack('x-joust-mutations: [base64, 5]'), 'attack.x-joust-mutations[1]'],
  ],
  messages: ['expected a string, got a list', 'expected a list, got "base64"', 'expected a string'],
})
