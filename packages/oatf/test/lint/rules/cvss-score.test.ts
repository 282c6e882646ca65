import { testLint, withState } from '../harness.ts'

const scored = (score: string) => withState('mcp_server', 'tools: []', score === '' ? '' : `x-joust-cvss: ${score}`)

testLint('L-041', {
  valid: [scored(''), scored('0'), scored('7.1'), scored('10')],
  invalid: [
    [scored('10.1'), 'attack.x-joust-cvss'],
    [scored('-1'), 'attack.x-joust-cvss'],
    [scored('"7.1"'), 'attack.x-joust-cvss'],
    [scored('CVSS:4.0/AV:N'), 'attack.x-joust-cvss'],
  ],
  messages: Array.from({ length: 4 }, () => 'expected a number from 0 to 10'),
})
