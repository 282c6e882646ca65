import { testLint, withState } from '../harness.ts'

const server = (list: string, entry: string) => withState('mcp_server', `${list}: [${entry}]`)
const at = (key: string) => `attack.execution.state.${key}`

testLint('L-014', {
  valid: [
    server('tools', '{ name: a, description: b, inputSchema: {}, responses: [] }'),
    server('tools', '{ name: a, title: b, icons: [], annotations: {}, execution: {}, _meta: {}, x-response: 1 }'),
    // Sent along with the right one, so on purpose.
    server('tools', '{ name: a, inputSchema: {}, input_schema: {} }'),
    server('resources', '{ uri: "file:///a", name: a, size: 1 }'),
    withState('a2a_server', 'agent_card: { input_schema: {} }'),
    withState('mail_server', 'tools: [{ input_schema: {} }]'),
    withState('ag_ui_client', 'run_agent_input: { threadId: a, runId: b, messages: [], tools: [], state: {} }'),
    server('tools', '{ name: a, responses: [{ when: {}, content: { content: [], isError: true } }, { content: [] }] }'),
    // Fields of its own, and fields that no protocol says anything about.
    server(
      'tools',
      '{ name: a, responses: [{ content: { content: [], invoice: 7, structuredContent: { conten: 1 } } }] }',
    ),
    server('tools', '{ name: a, inputSchema: { type: object, title: b, properties: { typ: { format: date } } } }'),
    withState('a2a_server', 'task_responses: [{ content: { parts: [], metadata: { statu: 1 } } }]'),
  ],
  invalid: [
    [server('tools', '{ name: a, response: [] }'), at('tools[0].response')],
    [server('tools', '{ name: a, input_schema: {} }'), at('tools[0].input_schema')],
    [
      server('prompts', '{ name: a, response: [], argument: [] }'),
      at('prompts[0].response'),
      at('prompts[0].argument'),
    ],
    [
      server('resources', '{ url: "file:///a", name: a, contents: {} }'),
      at('resources[0].url'),
      at('resources[0].contents'),
    ],
    [
      server('resource_templates', '{ uri_template: "file:///{a}", name: a }'),
      at('resource_templates[0].uri_template'),
    ],
    [server('elicitations', '{ message: a, requested_schema: {} }'), at('elicitations[0].requested_schema')],
    [withState('ag_ui_client', 'run_agent_input: { thread_id: a, runId: b }'), at('run_agent_input.thread_id')],
    [server('tools', '{ name: a, responses: [{ contnt: [] }] }'), at('tools[0].responses[0].contnt')],
    [
      server('tools', '{ name: a, responses: [{ content: { conten: [] } }] }'),
      at('tools[0].responses[0].content.conten'),
    ],
    [
      server('tools', '{ name: a, responses: [{ content: [{ type: text, tezt: b }] }] }'),
      at('tools[0].responses[0].content[0].tezt'),
    ],
    [
      server('tools', '{ name: a, inputSchema: { type: object, propertie: { b: {} } } }'),
      at('tools[0].inputSchema.propertie'),
    ],
    [
      server('tools', '{ name: a, inputSchema: { properties: { b: { typ: string } } } }'),
      at('tools[0].inputSchema.properties.b.typ'),
    ],
    [
      server('prompts', '{ name: a, responses: [{ when: { name: b }, mesages: [] }, { messages: [{ rol: user }] }] }'),
      at('prompts[0].responses[0].mesages'),
      at('prompts[0].responses[1].messages[0].rol'),
    ],
    [server('resources', '{ uri: a, name: a, content: { tex: b } }'), at('resources[0].content.tex')],
    [
      withState(
        'a2a_server',
        'task_responses: [{ content: { artefacts: [], status: { stat: a } }, when: { message.role: b } }, { conten: {} }]',
      ),
      at('task_responses[0].content.artefacts'),
      at('task_responses[0].content.status.stat'),
      at('task_responses[1].conten'),
    ],
    [withState('a2a_server', 'agent_card: { skils: [] }'), at('agent_card.skils')],
    [
      withState(
        'a2a_client',
        'actions: [{ method: message/send, param: {} }, { method: message/send, params: { mesage: {} } }]',
      ),
      at('actions[0].param'),
      at('actions[1].params.mesage'),
    ],
    [
      withState(
        'ag_ui_client',
        'run_agent_input: { threadId: a, runId: b, messages: [{ id: a, role: user, contnt: b }] }\ntool_responses: [{ conten: a }]',
      ),
      at('run_agent_input.messages[0].contnt'),
      at('tool_responses[0].conten'),
    ],
    [
      withState(
        'mcp_client',
        'elicitation_responses: [{ acton: decline }]\nsampling_responses: [{ content: { rol: a } }]',
      ),
      at('elicitation_responses[0].acton'),
      at('sampling_responses[0].content.rol'),
    ],
  ],
  messages: [
    'unknown key "response" in a tool: agents ignore it. Did you mean "responses"?',
    'Did you mean "inputSchema"?',
    'in a prompt: agents ignore it. Did you mean "responses"?',
    'Did you mean "uri"?',
    'Did you mean "uriTemplate"?',
    'Did you mean "requestedSchema"?',
    'Did you mean "threadId"?',
    'unknown key "contnt" in a response entry: agents ignore it. Did you mean "content"?',
    'in a message of tools/call: agents ignore it. Did you mean "content"?',
    'Did you mean "text"?',
    'in a schema: agents ignore it. Did you mean "properties"?',
    'Did you mean "type"?',
    'Did you mean "messages"?',
    'in a resource content: agents ignore it. Did you mean "text"?',
    'in a message of message/send: agents ignore it. Did you mean "artifacts"?',
    'in a message of agent_card/get: agents ignore it. Did you mean "skills"?',
    'in a request: agents ignore it. Did you mean "params"?',
    'in a message of run_agent_input: agents ignore it. Did you mean "content"?',
    'Did you mean "action"?',
  ],
})
