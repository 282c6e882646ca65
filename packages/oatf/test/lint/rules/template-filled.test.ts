import { testLint, withPhases, withState } from '../harness.ts'

const capture = 'extractors: [{ name: topic, source: request, type: regex, selector: "(a)" }]'
const phases = (...all: string[]) =>
  withPhases('mcp_server', all.map((one) => `- ${one.replaceAll('\n', '\n  ')}`).join('\n'))
const next = 'trigger: { event: tools/call }'
const tool = (text: string) => `state: { tools: [{ name: a, description: "${text}" }] }`
const enter = (text: string) => `on_enter: [{ log: { message: "${text}" } }]`
const answer = (text: string) =>
  withState(
    'mcp_server',
    `tools: [{ name: a, description: x, responses: [{ content: { content: [{ type: text, text: "${text}" }] } }] }]`,
  )

testLint('L-005', {
  valid: [
    phases(`${tool('x')}\n${capture}\n${next}`, tool('{{topic}}')),
    // Extracted before the answer is written.
    phases(`${tool('{{topic}}')}\n${capture}`),
    phases(`${tool('x')}\n${capture}\n${next}`, `${tool('x')}\n${enter('{{topic}}')}`),
    // The state stays in force when the next phase begins to capture.
    phases(`${tool('{{topic}}')}\n${next}`, capture),
    answer('{{request.arguments.any.thing}} {{request.name}}'),
    withState(
      'mcp_server',
      'resource_templates: [{ uriTemplate: "a://{b}", name: a, content: { text: "{{request.uri}}" } }]',
    ),
    withState('mcp_server', 'instructions: "Hello {{request.clientInfo.name}}"'),
    withState('a2a_server', 'task_responses: [{ content: { kind: "{{request.message.role}}" } }]'),
    withState('ag_ui_client', 'run_agent_input: { threadId: "{{request.x}}" }'),
    // Validation reports undeclared names.
    phases(tool('{{undeclared}}')),
    withPhases(
      'mcp_client',
      `- state: { actions: [{ method: tools/list }, { method: tools/call, params: { name: "{{topic}}" } }] }\n  ${capture}`,
    ),
  ],
  invalid: [
    [
      phases(`${tool('{{topic}}')}\n${next}`, `${tool('x')}\n${capture}`),
      'attack.execution.phases[0].state.tools[0].description',
    ],
    [phases(`${tool('x')}\n${enter('{{topic}}')}\n${capture}`), 'attack.execution.phases[0].on_enter[0].log.message'],
    [phases(`${tool('x')}\n${enter('{{request.name}}')}`), 'attack.execution.phases[0].on_enter[0].log.message'],
    [answer('{{request.params.name}}'), 'attack.execution.state.tools[0].responses[0].content.content[0].text'],
    [withState('a2a_server', 'agent_card: { name: "{{request.name}}" }'), 'attack.execution.state.agent_card.name'],
    [
      withPhases(
        'mcp_client',
        `- state: { actions: [{ method: tools/call, params: { name: "{{topic}}" } }] }\n  ${capture}`,
      ),
      'attack.execution.phases[0].state.actions[0].params.name',
    ],
    [
      withPhases('ag_ui_client', `- state: { run_agent_input: { threadId: "{{topic}}", runId: r } }\n  ${capture}`),
      'attack.execution.phases[0].state.run_agent_input.threadId',
    ],
  ],
  messages: [
    '{{topic}} is always empty here: it is first captured in the later phase "phase-2"',
    'it is captured in this phase, after the entry actions run',
    '{{request.name}} is always empty here: entry actions run before any message is received',
    'no tools/call request has "params.name"',
    'no agent_card/get or agent/getAuthenticatedExtendedCard request has "name"',
    'captured in this phase',
    'after this first message',
  ],
})
