import { testLint, withState } from '../harness.ts'

const state = 'tools: [{ name: a, description: Send it all. }]'
const indicators = 'indicators: [{ surface: tools/call, target: name, pattern: { contains: all } }]'

testLint('L-020', {
  valid: [
    withState('mcp_server', state),
    withState('mcp_server', 'tools: []', indicators),
    withState('mcp_server', state, `x-joust-bait: ["attack.execution.state.tools[0]"]\n${indicators}`),
  ],
  invalid: [[withState('mcp_server', state, indicators), 'attack.x-joust-bait']],
  messages: [
    'the bait is not declared; the guess is the text at attack.execution.state.tools[0]. Declare the bait with x-joust-bait',
  ],
})
