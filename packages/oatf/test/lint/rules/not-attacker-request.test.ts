import { indicator, testLint, withActors, withState } from '../harness.ts'

const contains = 'pattern: { contains: x }'
const server = (...fields: string[]) => withState('mcp_server', 'tools: []', indicator(...fields, contains))
const client = (...fields: string[]) => withState('mcp_client', 'actions: []', indicator(...fields, contains))
const agUi = (...fields: string[]) =>
  withState('ag_ui_client', 'run_agent_input: { threadId: t, runId: r }', indicator(...fields, contains))
const at = (key: string) => `attack.indicators[0].${key}`

testLint('L-018', {
  valid: [
    server('surface: elicitation/create', 'direction: response', 'target: content.password'),
    server('surface: elicitation/create', 'target: content.password'),
    server('surface: elicitation/create', 'target: ""'),
    // The agent may answer with an error, which has a message, too.
    server('surface: elicitation/create', 'target: message'),
    server('surface: tools/call', 'direction: request', 'target: arguments'),
    // The attacker's answer, which the agent has asked for.
    server('surface: tools/call', 'direction: response', 'target: "content[*].text"'),
    server('surface: elicitation/create', 'direction: request', 'target: message', 'tier: ingested'),
    client('surface: sampling/createMessage', 'direction: request', 'target: systemPrompt'),
    client('surface: tools/call', 'target: "content[*].text"'),
    client('surface: notifications/progress', 'target: message'),
    agUi('surface: text_message_content', 'target: delta'),
    server('surface: tools/dance', 'direction: request', 'target: x'),
    // Between two actors, one sees the other's request.
    withActors(
      '- { name: a, mode: mcp_server, phases: [{ state: { tools: [] } }] }\n- { name: b, mode: mcp_client, phases: [{ state: { actions: [] } }] }',
      indicator('protocol: mcp', 'surface: tools/call', 'direction: request', 'target: name', contains),
    ),
  ],
  invalid: [
    [server('surface: elicitation/create', 'direction: request', 'target: message'), at('direction')],
    [server('surface: elicitation/create', 'target: requestedSchema.title'), at('surface')],
    [client('surface: tools/call', 'direction: request', 'target: arguments'), at('direction')],
    [agUi('surface: run_agent_input', 'target: "messages[*].content"'), at('surface')],
    [server('surface: notifications/message', 'target: data'), at('surface')],
    [server('target: requestedSchema'), at('target')],
  ],
  messages: [
    'the indicator examines only requests sent by the attacker ("elicitation/create"); set direction: response',
    'sent by the attacker ("elicitation/create")',
    "set direction: response to examine the agent's responses",
    '("run_agent_input")',
    '("notifications/message")',
    '("elicitation/create")',
  ],
})
