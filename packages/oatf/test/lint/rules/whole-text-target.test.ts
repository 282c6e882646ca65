import { indicator, testLint, withState } from '../harness.ts'

const state = 'run_agent_input: { threadId: t, runId: r, messages: [{ id: a, role: user, content: Hello }] }'
const client = (...fields: string[]) => withState('ag_ui_client', state, indicator(...fields))
const content = 'surface: text_message_content'

testLint('L-021', {
  valid: [
    client(content, 'target: delta', 'pattern: { contains: canary-7 }'),
    client(content, 'target: delta', "pattern: { regex: '(?i)pass\\s*word' }"),
    client(content, 'target: delta', "pattern: { contains: ' canary-7 ' }"),
    client(content, 'target: messageId', 'pattern: { contains: the password }'),
    client('surface: text_message_end', 'target: _text', 'pattern: { contains: the password }'),
    client('surface: state_delta', 'target: "delta[*].value"', 'pattern: { contains: the password }'),
    withState('mcp_server', 'tools: []', indicator('target: delta', 'pattern: { contains: the password }')),
  ],
  invalid: [
    [client(content, 'target: delta', 'pattern: { contains: the password }'), 'attack.indicators[0].target'],
    [client('target: delta', 'pattern: { any_of: [secret, the password] }'), 'attack.indicators[0].target'],
    [
      client(content, 'target: messageId', 'pattern: { target: delta, condition: { regex: the\\s+password } }'),
      'attack.indicators[0].pattern.target',
    ],
    [
      client('surface: tool_call_args', 'target: delta', `pattern: { contains: '"to": "eve"' }`),
      'attack.indicators[0].target',
    ],
    [
      client(content, 'target: delta', `expression: { cel: 'message.delta.contains("the password")' }`),
      'attack.indicators[0].expression.cel',
    ],
  ],
  messages: [
    '"the password" may be split across several deltas and never match; use `_text` of `text_message_end`',
    '"the password" may be split',
    '`_text` of `text_message_end`',
    '`_arguments` of `tool_call_end`',
    '`_text` of `text_message_end`',
  ],
})
