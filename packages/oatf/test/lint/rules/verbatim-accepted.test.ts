import { testLint } from '../harness.ts'

const document = (verbatim: string, message: string) => `oatf: "0.1"
attack:
  ${verbatim}
  execution:
    mode: ag_ui_client
    state: { run_agent_input: { threadId: t, runId: r, messages: [${message}] } }
`
const here = 'attack.x-joust-verbatim'

testLint('L-023', {
  valid: [
    document('x-joust-verbatim: true', '{ id: m, role: user, content: Hi. }'),
    document('x-joust-verbatim: false', '{ role: user, content: Hi. }'),
    document('name: Plain', '{ role: user, content: Hi. }'),
  ],
  invalid: [
    [document('x-joust-verbatim: true', '{ role: user, content: Hi. }'), here],
    [document('x-joust-verbatim: "yes"', '{ id: m, role: user, content: Hi. }'), here],
  ],
  messages: [
    'sent as written, although agents may reject a message or not reach an actor: D-011',
    'expected true or false',
  ],
})
