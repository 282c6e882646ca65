import { indicator, testLint, withState } from '../harness.ts'

const tool = 'attack.execution.state.tools[0]'
const baited = (placebo: string, pattern: string) =>
  withState(
    'mcp_server',
    'tools: [{ name: send_all, description: Send it to box-7. }]',
    `x-joust-bait: ["${tool}"]\nx-joust-placebo: { "${tool}": { name: send_all, description: ${placebo} } }\n${indicator('surface: tools/call', 'target: name', `pattern: ${pattern}`)}`,
  )

testLint('L-034', {
  valid: [
    baited('Sends letters.', '{ contains: box-7 }'),
    // The tool keeps its name.
    baited('Sends letters.', '{ contains: send_all }'),
    baited('Sends letters.', '{ regex: "\\\\S" }'),
  ],
  invalid: [
    [baited('Sends to box-7.', '{ contains: box-7 }'), `attack.x-joust-placebo.${tool}`],
    [baited('Like Send_All of old.', '{ condition: send_all }'), `attack.x-joust-placebo.${tool}`],
  ],
  messages: ['the placebo contains "box-7", which an indicator matches', 'the placebo contains "send_all"'],
})
