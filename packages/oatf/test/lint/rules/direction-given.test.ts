import { indicator, testLint, withState } from '../harness.ts'

const server = (...fields: string[]) => withState('mcp_server', 'tools: []', indicator(...fields))
const contains = 'pattern: { contains: x }'

testLint('L-008', {
  valid: [
    // Only the agent sends messages with this.
    server('target: arguments.note', contains),
    server('target: name', contains),
    server('direction: request', 'target: ""', contains),
    server('surface: tools/call', 'target: name', contains),
    server('surface: tools/call', 'direction: request', 'target: ""', contains),
    server('surface: tools/call', 'target: content[*].text', contains),
    server('surface: tools/call', 'tier: ingested', 'target: ""', contains),
    // Both sides may send it, and a direction does not tell them apart.
    server('surface: notifications/progress', 'target: message', contains),
    server('target: ""', 'semantic: { intent: x }'),
    server('target: no.where', contains),
    server('target: ""', "expression: { cel: 'has(message.arguments)' }"),
  ],
  invalid: [
    [server('target: ""', contains), 'attack.indicators[0]'],
    [server('target: content[*].text', contains), 'attack.indicators[0]'],
    [server('target: ""', "expression: { cel: 'has(message.tools)' }"), 'attack.indicators[0]'],
    [withState('a2a_client', 'actions: []', indicator('target: metadata', contains)), 'attack.indicators[0]'],
    [server('surface: tools/call', 'target: ""', contains), 'attack.indicators[0]'],
    [server('surface: elicitation/create', 'target: ""', contains), 'attack.indicators[0]'],
    [
      withState('a2a_client', 'actions: []', indicator('surface: message/send', 'target: metadata', contains)),
      'attack.indicators[0]',
    ],
  ],
  messages: [
    'it looks at everything on all surfaces, including what the attacker sends; name a surface, or set direction: request',
    'it looks at "content[*].text" on all surfaces, including what the attacker sends; name a surface',
    'it looks at "tools"',
    'it looks at "metadata" on all surfaces, including what the attacker sends; name a surface, or set direction: response',
    'it looks at everything both in what the agent sends and in what the attacker sends; set direction: request',
    'set direction: response',
    'it looks at "metadata" both in what the agent sends and in what the attacker sends; set direction: response',
  ],
})
