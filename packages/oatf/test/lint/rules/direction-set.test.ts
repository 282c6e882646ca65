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
    'the indicator examines everything on all surfaces, including messages from the attacker; set a surface, or set direction: request',
    '"content[*].text" on all surfaces',
    'the indicator examines "tools"',
    'set direction: response',
    'the indicator examines everything in messages from both the agent and the attacker; set direction: request',
    'set direction: response',
    '"metadata" in messages from both',
  ],
})
