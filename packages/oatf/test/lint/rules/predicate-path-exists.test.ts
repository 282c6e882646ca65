import { testLint, withPhases, withState } from '../harness.ts'

const trigger = (mode: string, event: string, match: string) =>
  withPhases(mode, `- state: { x-a: 1 }\n  trigger: { event: ${event}, match: { ${match} } }\n- state: { x-a: 1 }`)
const when = (match: string) =>
  withState('mcp_server', `tools: [{ name: a, responses: [{ when: { ${match} }, content: {} }] }]`)

testLint('L-010', {
  valid: [
    trigger('mcp_server', 'tools/call', 'name: x, arguments.any.thing: 1'),
    trigger('mcp_server', 'tools/dance', 'any: 1'),
    trigger('mcp_client', 'tools/call', 'isError: true'),
    trigger('mcp_client', 'tools/call', 'code: { gt: 0 }'),
    trigger('mcp_client', 'tools/call', '_request.name: x'),
    trigger('a2a_client', 'task/status', 'status.state: completed'),
    trigger('ag_ui_client', 'tool_call_start', 'toolCallName: x'),
    when('arguments.city: Rome'),
    when('params.name: { exists: false }'),
    withState('mcp_server', 'elicitations: [{ when: { name: a }, message: x }]'),
    withState('mcp_client', 'sampling_responses: [{ when: { systemPrompt: a }, content: {} }]'),
    withState('a2a_server', 'task_responses: [{ when: { message.role: user }, content: {} }]'),
    withState('ag_ui_client', 'tool_responses: [{ when: { toolCallName: a }, content: {} }]'),
    withState('mail_server', 'tools: [{ name: a, responses: [{ when: { x: 1 }, content: {} }] }]'),
  ],
  invalid: [
    [trigger('mcp_server', 'tools/call', 'params.name: x'), 'attack.execution.phases[0].trigger.match.params.name'],
    [trigger('mcp_server', 'tools/call', '_request.name: x'), 'attack.execution.phases[0].trigger.match._request.name'],
    [
      trigger('mcp_client', 'sampling/createMessage', '_request.maxTokens: 1'),
      'attack.execution.phases[0].trigger.match._request.maxTokens',
    ],
    [trigger('ag_ui_client', 'tool_call_start', 'toolName: x'), 'attack.execution.phases[0].trigger.match.toolName'],
    [when('request.arguments.city: Rome'), 'attack.execution.state.tools[0].responses[0].when.request.arguments.city'],
    [
      withState('a2a_server', 'task_responses: [{ when: { message.parts.text: user }, content: {} }]'),
      'attack.execution.state.task_responses[0].when.message.parts.text',
    ],
  ],
  messages: [
    'no tools/call event has "params.name", so the predicate never matches. Did you mean "name"?',
    'no tools/call event has "_request.name"',
    'no sampling/createMessage event has "_request.maxTokens"',
    'no tool_call_start event has "toolName"',
    'no tools/call request has "request.arguments.city", so the predicate never matches. Did you mean "arguments.city"?',
    'no message/send or message/stream request has "message.parts.text"',
  ],
})
