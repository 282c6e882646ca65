import { testLint, withState } from '../harness.ts'

const answer = (content: string, rest = '') =>
  withState('mcp_server', `tools: [{ name: a, responses: [{ content: ${content} }] }]`, rest)
const task = (status: string, parts = '{ kind: text, text: a }') =>
  withState(
    'a2a_server',
    `task_responses: [{ content: { kind: task, id: t, status: ${status}, artifacts: [{ artifactId: a, parts: [${parts}] }] } }]`,
  )
const sends = (params: string) =>
  withState(
    'mcp_server',
    `tools:
  - name: a
    responses:
      - x-joust-during: [{ send: { method: sampling/createMessage, params: ${params} } }]
        content: []`,
  )
const MESSAGES = 'messages: [{ role: user, content: { type: text, text: a } }], maxTokens: 1'
const AT = 'attack.execution.state'

testLint('L-029', {
  valid: [
    answer('{ content: [{ type: text, text: a }, { type: image, data: "", mimeType: image/png }] }'),
    answer('[{ type: "{{kind}}", text: a }]'),
    answer('{ content: [{ type: ttext, text: a }] }', 'x-joust-verbatim: true'),
    // Not a list of the protocol: any text is allowed there.
    withState(
      'mcp_client',
      'sampling_responses: [{ content: { role: assistant, content: { type: text, text: a }, stopReason: refusal } }]',
    ),
    withState(
      'mcp_server',
      'tools: [{ name: a, inputSchema: { type: object, properties: { b: { type: [string, "null"] }, c: { type: any } } } }]',
    ),
    answer('{ content: [], isError: true }'),
    answer('{ content: [], isError: "{{failed}}" }'),
    answer('{ content: [], isError: maybe }'),
    task('{ state: input-required }'),
    withState('a2a_server', 'task_responses: [{ content: { kind: status-update, status: { state: working } } }]'),
    withState('a2a_server', 'agent_card: { name: a, preferredTransport: PIGEON }'),
    sends(`{ ${MESSAGES}, includeContext: none }`),
    // Of AG-UI, the lists grow.
    withState(
      'ag_ui_client',
      'run_agent_input: { threadId: a, runId: b, messages: [{ id: m, role: critic, content: a }] }',
    ),
  ],
  invalid: [
    [answer('{ content: [{ type: ttext, text: a }] }'), `${AT}.tools[0].responses[0].content.content[0].type`],
    [
      answer('[{ type: text, text: a, annotations: { audience: [user, boss] } }]'),
      `${AT}.tools[0].responses[0].content[0].annotations.audience[1]`,
    ],
    [
      withState(
        'mcp_server',
        'prompts: [{ name: a, responses: [{ messages: [{ role: system, content: { type: text, text: a } }] }] }]',
      ),
      `${AT}.prompts[0].responses[0].messages[0].role`,
    ],
    [
      withState('mcp_server', 'tools: [{ name: a, inputSchema: { type: objct, properties: { b: { type: strin } } } }]'),
      `${AT}.tools[0].inputSchema.type`,
      `${AT}.tools[0].inputSchema.properties.b.type`,
    ],
    [task('{ state: compleied }'), `${AT}.task_responses[0].content.status.state`],
    [
      task('{ state: completed }', '{ kind: txt, text: a }'),
      `${AT}.task_responses[0].content.artifacts[0].parts[0].kind`,
    ],
    [
      sends(`{ ${MESSAGES}, includeContext: allServer }`),
      `${AT}.tools[0].responses[0].x-joust-during[0].send.params.includeContext`,
    ],
    [
      withState(
        'a2a_client',
        'actions: [{ method: message/send, params: { message: { kind: message, messageId: a, role: usr, parts: [] } } }]',
      ),
      `${AT}.actions[0].params.message.role`,
    ],
    [answer('{ content: [], isError: ture }'), `${AT}.tools[0].responses[0].content.isError`],
  ],
  messages: [
    'unknown value "ttext", which peers reject; expected one of: text, image, audio, resource_link, resource. Did you mean "text"?',
    'expected one of: user, assistant',
    'unknown value "system"',
    'Did you mean "object"?',
    'Did you mean "completed"?',
    'Did you mean "text"?',
    'Did you mean "allServers"?',
    'Did you mean "user"?',
    'expected one of: true, false. Did you mean "true"?',
  ],
})
