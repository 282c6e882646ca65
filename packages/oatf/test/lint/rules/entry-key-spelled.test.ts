import { testLint, withState } from '../harness.ts'

const server = (list: string, entry: string) => withState('mcp_server', `${list}: [${entry}]`)
const at = (key: string) => `attack.execution.state.${key}`

testLint('L-014', {
  valid: [
    server('tools', '{ name: a, description: b, inputSchema: {}, responses: [] }'),
    server('tools', '{ name: a, title: b, icons: [], annotations: {}, execution: {}, _meta: {}, x-response: 1 }'),
    // Sent beside the right one, and on purpose.
    server('tools', '{ name: a, inputSchema: {}, input_schema: {} }'),
    server('resources', '{ uri: "file:///a", name: a, size: 1 }'),
    withState('a2a_server', 'agent_card: { input_schema: {} }'),
    withState('mail_server', 'tools: [{ input_schema: {} }]'),
    withState('ag_ui_client', 'run_agent_input: { threadId: a, runId: b, messages: [], tools: [], state: {} }'),
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
  ],
  messages: [
    '"response" means nothing to an agent: a tool has no such key. Did you mean "responses"?',
    'Did you mean "inputSchema"?',
    'a prompt has no such key. Did you mean "responses"?',
    'Did you mean "uri"?',
    'Did you mean "uriTemplate"?',
    'Did you mean "requestedSchema"?',
    'Did you mean "threadId"?',
  ],
})
