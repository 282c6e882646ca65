import { indicator, testLint, withState } from '../harness.ts'

const state = 'tools: [{ name: a, description: Send it all. }]'
const tool = 'attack.execution.state.tools[0]'
const baited = (placebo: string, bait = `["${tool}.description"]`) =>
  withState(
    'mcp_server',
    state,
    `x-joust-bait: ${bait}\nx-joust-placebo: ${placebo}\n${indicator('surface: tools/call', 'target: name', 'pattern: { contains: xyz }')}`,
  )

testLint('L-033', {
  valid: [
    withState('mcp_server', state),
    baited(`{ "${tool}.description": Sends letters. }`),
    baited(`{ "${tool}": { name: a, description: Sends letters. } }`, `["${tool}"]`),
  ],
  invalid: [
    [baited('Sends letters.'), 'attack.x-joust-placebo'],
    [baited('{}'), 'attack.x-joust-placebo'],
    [withState('mcp_server', state, `x-joust-placebo: { "${tool}": 1 }`), 'attack.x-joust-placebo'],
    [
      baited('{ "attack.execution.state.tools[7]": Sends letters. }'),
      'attack.x-joust-placebo',
      'attack.x-joust-placebo.attack.execution.state.tools[7]',
    ],
    [baited(`{ "${tool}.name": b, "${tool}.description": Sends letters. }`), `attack.x-joust-placebo.${tool}.name`],
    [baited(`{ "${tool}.description": [Sends letters.] }`), `attack.x-joust-placebo.${tool}.description`],
    [baited(`{ "${tool}": { name: a, title: Sends letters. } }`, `["${tool}"]`), `attack.x-joust-placebo.${tool}`],
    [baited(`{ "${tool}.description": "" }`), `attack.x-joust-placebo.${tool}.description`],
    [baited(`{ "${tool}.description": Send it all. }`), `attack.x-joust-placebo.${tool}.description`],
  ],
  messages: [
    'expected a mapping from each path in x-joust-bait',
    'expected a mapping',
    'a placebo requires a declared bait',
    `missing placebo for ${tool}.description`,
    `${tool}.name is not a path in x-joust-bait`,
    'expected a string as in the bait, got a list',
    'expected the keys of the bait: name, description; got name, title',
    'the placebo is empty',
    'the placebo is identical to the bait',
  ],
})
