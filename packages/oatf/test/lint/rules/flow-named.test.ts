import { testLint } from '../harness.ts'

const document = (flow: string, onAttack = '') => `
oatf: "0.1"
attack:
  ${onAttack}
  execution:
    mode: mcp_server
    state: { tools: [{ name: read_issue }, { name: send_email }] }
  indicators:
    - { surface: tools/call, target: name, pattern: { condition: send_email }${flow} }
`
const withFlow = (flow: string) => document(`, x-joust-flow: ${flow}`)
const PATH = 'attack.indicators[0].x-joust-flow'

testLint('L-038', {
  valid: [
    document(''),
    withFlow('{ from: untrusted, to: send_email }'),
    withFlow('{ from: read_issue, to: send_email.to }'),
    withFlow('{ from: private, to: "files.write.content" }'),
  ],
  invalid: [
    [withFlow('untrusted'), PATH],
    [withFlow('{ to: send_email }'), PATH],
    [withFlow('{ from: user, to: 5 }'), PATH],
    [withFlow('{ from: user, to: send_email. }'), `${PATH}.to`],
    [withFlow('{ from: user, to: send_email, how: base64 }'), `${PATH}.how`],
    [document('', 'x-joust-flow: { from: user, to: send_email }'), 'attack.x-joust-flow'],
  ],
  messages: [
    'expected `from` and `to`',
    'expected a string in `from`',
    'expected a string in `to`',
    'expected TOOL or TOOL.ARGUMENT',
    'unknown key',
    'only valid on an indicator',
  ],
})
