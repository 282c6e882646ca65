import { indicator, testLint, withState } from '../harness.ts'

const server = (rest: string) => withState('mcp_server', 'tools: []', rest)
const dead = 'target: params.name\n    pattern: { contains: x }'
const alive = 'target: name\n    pattern: { contains: x }'

testLint('L-007', {
  valid: [
    server(indicator(alive)),
    server(`${indicator(dead)}\n  - ${alive}`),
    server(indicator('target: params.name', 'pattern: { condition: { exists: false } }')),
    server(indicator('target: ""', 'expression: { cel: \'has(message.params) || message.name == "x"\' }')),
    server(indicator('target: name', 'semantic: { intent: x }')),
    withState('mail_server', 'x: 1', indicator('target: subject', 'pattern: { contains: x }')),
  ],
  invalid: [
    [
      withState(
        'ag_ui_client',
        'run_agent_input: {}',
        indicator('surface: run_finished', 'direction: request', 'target: ""', 'pattern: { contains: x }'),
      ),
      'attack.indicators',
    ],
    [server(''), 'attack'],
    [server(indicator(dead)), 'attack.indicators'],
    [server(`${indicator(dead)}\n  - ${dead}`), 'attack.indicators'],
    [server(indicator('target: ""', 'expression: { cel: \'message.params.name == "x"\' }')), 'attack.indicators'],
    [server(indicator('protocol: a2a', 'target: ""', 'pattern: { contains: x }')), 'attack.indicators'],
  ],
  messages: [
    'the only indicator can never match',
    'missing "indicators"',
    'the only indicator can never match, so every agent appears to resist',
    'none of the 2 indicators can match',
    'the only indicator can never match',
    'the only indicator can never match',
  ],
})
