import { indicator, testLint, withState } from '../harness.ts'

const responses = 'attack.execution.state.tools[0].responses'
const baited = (placebo: string) =>
  withState(
    'mcp_server',
    'tools: [{ name: a, description: A tool., responses: [{ content: { content: [] } }] }]',
    `x-joust-bait: ["${responses}"]\nx-joust-placebo: { "${responses}": ${placebo} }\n${indicator('surface: tools/call', 'target: name', 'pattern: { contains: xyz }')}`,
  )

testLint('L-035', {
  valid: [baited('[{ content: { content: [{ type: text, text: Hello. }] } }]')],
  invalid: [
    [baited('[{ when: { name: { regex: "(" } }, content: { content: [] } }]'), `attack.x-joust-placebo.${responses}`],
  ],
  messages: ['the placebo makes the document invalid: '],
})
