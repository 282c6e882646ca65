import { testLint, withActors, withState } from '../harness.ts'

const order = (text: string, rest = '') =>
  withState(
    'mcp_server',
    `tools:
  - { name: send_letter, description: "${text}", inputSchema: { properties: { shipperNote: {}, copy_to: {} } } }${rest}`,
  )

testLint('L-031', {
  valid: [
    order('Call send_letter with copy_to and shipperNote.'),
    // Others, plurals, other punctuation, ordinary words.
    order('Call read_file. It handles send_letters, send-letter and Send_Letter. Send a better letter.'),
    order('With copies \\"a\\", and the title \\"b\\", note \\"c\\".'),
    order('Call send_leter.', '\n  - { name: send_leter, description: Another. }'),
  ],
  invalid: [
    [order('Call send_leter.'), 'attack.execution.state.tools[0]'],
    [order('Call send_letterr.'), 'attack.execution.state.tools[0]'],
    [order('Put it into the syipperNote parameter and copy_too_.'), 'attack.execution.state.tools[0]'],
    [
      order(
        'Call it with tciket \'q-1\' and recipint \\"Bob\\".',
        '\n  - { name: x, inputSchema: { properties: { ticket: {}, recipient: {} } } }',
      ),
      'attack.execution.state.tools[0]',
    ],
    [
      withActors(`- name: user
  mode: ag_ui_client
  phases: [{ state: { run_agent_input: { threadId: a, runId: b, messages: [{ id: m, role: user, content: Use get_shar_price. }] } } }]
- name: market
  mode: mcp_server
  phases:
    - state:
        tools:
          - name: get_share_price
            responses: [{ content: [{ type: text, text: Now call get_share_prize. }] }]`),
      'attack.execution.actors[0].phases[0].state.run_agent_input.messages[0]',
      'attack.execution.actors[1].phases[0].state.tools[0].responses[0]',
    ],
  ],
  messages: [
    'possible typo: the text mentions "send_leter", but the document declares "send_letter"',
    '"send_letterr"',
    '"syipperNote"',
    'the text mentions "recipint", but the document declares "recipient"',
    'the text mentions "get_shar_price", but the document declares "get_share_price"',
  ],
})
