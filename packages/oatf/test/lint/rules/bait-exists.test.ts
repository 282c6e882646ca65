import { testLint, withState } from '../harness.ts'

const state = 'tools: [{ name: a, description: Send it all. }]'
const baited = (bait: string) => withState('mcp_server', state, `x-joust-bait: ${bait}`)

testLint('L-019', {
  valid: [
    withState('mcp_server', state),
    baited('["attack.execution.state.tools[0]"]'),
    baited('["attack.execution.state.tools[0].description"]'),
    baited('[attack.execution.state]'),
  ],
  invalid: [
    [baited('attack.execution.state'), 'attack.x-joust-bait'],
    [baited('[]'), 'attack.x-joust-bait'],
    [baited('[1]'), 'attack.x-joust-bait[0]'],
    [baited('["attack.execution.state.tools[1]"]'), 'attack.x-joust-bait[0]'],
    [baited('["attack.execution.state.tools[0]", attack.execution.mode]'), 'attack.x-joust-bait[1]'],
  ],
  messages: [
    'expected a list of bait paths',
    'expected a list of bait paths',
    'expected a bait path as a string',
    'unknown path attack.execution.state.tools[1]',
    'the text at attack.execution.mode is never sent to the agent',
  ],
})
