import { testLint, withPhases, withState } from '../harness.ts'

const indicator = (text: string) => `indicators: [{ surface: tools/call, pattern: { contains: a }, ${text} }]`
const headers = 'target: x-joust-headers.'
const someHeaders = 'x-joust-headers: { a: b }'
const responses = (entry: string, key = 'tools') => `${key}: [{ name: a, responses: [${entry}] }]`
const RESPONSE = 'attack.execution.state.tools[0].responses[0]'

testLint('L-042', {
  valid: [
    withState('mcp_server', 'tools: []\nx-joust-headers: { a: b }\nx-mine: 1', 'x-joust-cvss: 1\nx-other: 2'),
    withState('mail_server', 'x-joust-anything: 1'),
    withState('mcp_client', 'actions: [{ method: tools/list, x-joust-headers: { a: b } }]'),
    withState('mcp_server', 'tools: []', indicator(`${headers}authorization`)),
    withState('mcp_server', 'tools: [{ name: a, responses: [{ when: { x-joust-headers.a: b }, content: {} }] }]'),
    withState('mcp_server', responses('{ x-joust-during: [], x-joust-overlay: append, content: [] }')),
    withState('mcp_server', responses('{ x-joust-during: [], messages: [] }', 'prompts')),
    withPhases('mcp_client', `- state: {}\n  on_enter: [{ send: { method: tools/list }, ${someHeaders} }]`),
    withPhases('a2a_server', `- state: {}\n  on_enter: [{ send_push_notification: { payload: {}, ${someHeaders} } }]`),
    withPhases('a2a_server', `- state: {}\n  on_enter: [{ send_push_notification: { payload: {} }, ${someHeaders} }]`),
  ],
  invalid: [
    [withState('mcp_server', 'tools: []\nx-joust-header: {}'), 'attack.execution.state.x-joust-header'],
    [withState('ag_ui_client', 'run_agent_input: {}\nx-joust-pages: []'), 'attack.execution.state.x-joust-pages'],
    [withState('mcp_server', 'tools: []', 'x-joust-baits: []'), 'attack.x-joust-baits'],
    [withState('mcp_server', 'tools: []', 'x-joust-headers: {}'), 'attack.x-joust-headers'],
    [
      withState('mcp_client', 'actions: [{ method: tools/list, x-joust-cache: {} }]'),
      'attack.execution.state.actions[0].x-joust-cache',
    ],
    [
      withPhases('mcp_server', '- state: { tools: [] }\n  on_enter: [{ log: { message: a }, x-joust-flows: 1 }]'),
      'attack.execution.phases[0].on_enter[0].x-joust-flows',
    ],
    [
      withState('mcp_server', 'tools: []', indicator('target: name, x-joust-flows: {}')),
      'attack.indicators[0].x-joust-flows',
    ],
    [withState('mcp_server', 'tools: []', indicator(`${headers}Authorization`)), 'attack.indicators[0].target'],
    [withState('mcp_server', responses('{ when: { x-joust-headers.A: b } }')), `${RESPONSE}.when.x-joust-headers.A`],
    [withState('mcp_server', responses(`{ ${someHeaders}, content: [] }`)), `${RESPONSE}.x-joust-headers`],
    [
      withState('mcp_server', responses('{ x-joust-overlay: append, messages: [] }', 'prompts')),
      'attack.execution.state.prompts[0].responses[0].x-joust-overlay',
    ],
    [
      withState('mcp_server', 'tools: [{ name: a, x-joust-overlay: append }]'),
      'attack.execution.state.tools[0].x-joust-overlay',
    ],
    [
      withState('a2a_server', 'task_responses: [{ x-joust-during: [], status: completed }]'),
      'attack.execution.state.task_responses[0].x-joust-during',
    ],
    [
      withPhases('mcp_server', `- state: {}\n  on_enter: [{ send: { method: a }, ${someHeaders} }]`),
      'attack.execution.phases[0].on_enter[0].x-joust-headers',
    ],
    [withPhases('mcp_server', `- state: {}\n  ${someHeaders}`), 'attack.execution.phases[0].x-joust-headers'],
    [
      withPhases(
        'mcp_server',
        '- state: {}\n  trigger: { event: tools/call, match: { x-joust-headers.Host: a } }\n- state: {}',
      ),
      'attack.execution.phases[0].trigger.match.x-joust-headers.Host',
    ],
  ],
  messages: [
    '"x-joust-header" has no effect in a state of mcp_server. Did you mean "x-joust-headers"?',
    '"x-joust-pages" has no effect in a state of ag_ui_client; expected one of: x-joust-resume, x-joust-headers',
    'Did you mean "x-joust-bait"?',
    '"x-joust-headers" has no effect in an attack; expected one of: x-joust-bait,',
    'has no effect in an action; expected one of: x-joust-headers',
    'has no effect in a message',
    'Did you mean "x-joust-flow"?',
    'header names are in lower case. Did you mean "x-joust-headers.authorization"?',
    'header names are in lower case. Did you mean "x-joust-headers.a"?',
    'has no effect in a response; expected one of: x-joust-during, x-joust-overlay',
    'has no effect in a prompt response',
    'has no effect in a message',
    'has no effect in a message',
    'has no effect in a message',
    'has no effect in a phase',
    'header names are in lower case',
  ],
})
