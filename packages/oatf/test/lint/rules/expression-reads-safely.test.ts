import { indicator, testLint, withState } from '../harness.ts'

const tools = `tools:
  - name: fetch
    inputSchema: { type: object, required: [url, n, deep], properties: { n: { type: integer }, deep: { type: object, required: [a], properties: { a: { enum: [low, high] } } } } }`
const server = (cel: string, ...fields: string[]) =>
  withState(
    'mcp_server',
    tools,
    indicator('surface: tools/call', 'direction: request', 'target: ""', ...fields, `expression: { cel: '${cel}' }`),
  )
const both = (cel: string) => server(cel).replace('tools:\n', 'tools:\n        - { name: other }\n')
const agUi = (surface: string, cel: string) =>
  withState(
    'ag_ui_client',
    'run_agent_input: { threadId: t, runId: r }',
    indicator(surface, 'direction: response', 'target: ""', `expression: { cel: '${cel}' }`),
  )
const client = (cel: string) =>
  withState(
    'a2a_client',
    'actions: [{ method: message/send, params: { message: {} } }]',
    indicator('direction: response', 'target: ""', `expression: { cel: '${cel}' }`),
  )
const here = 'attack.indicators[0].expression.cel'

testLint('L-009', {
  valid: [
    // The only tool requires these arguments.
    server('message.arguments.url.contains("x") && message.arguments.n > 1 && message.arguments.deep.a == "low"'),
    both('has(message.arguments.url) && message.arguments.url.contains("x")'),
    both('message.name == "fetch" && message.arguments.url.contains("x")'),
    agUi('surface: text_message_content', 'message.delta.contains("x")'),
    agUi('x-none: 1', 'has(message.delta) && message.delta.contains("x")'),
    agUi('x-none: 1', 'message.type == "TEXT_MESSAGE_CONTENT" && message.delta.contains("x")'),
    client('has(message.artifacts) && message.artifacts.exists(a, a.parts.exists(p, p.text.contains("x")))'),
    client('message._request.message == message._request.message'),
    withState(
      'mcp_server',
      'elicitations: [{ message: x }]',
      indicator(
        'surface: elicitation/create',
        'direction: response',
        'target: ""',
        `expression: { cel: 'message.action == "accept"' }`,
      ),
    ),
    // Another rule reports that no message has it.
    server('message.params.name == "x"'),
    both('true').replace(
      "{ cel: 'true' }",
      '{ cel: \'u != null && u.contains("x")\', variables: { u: arguments.url } }',
    ),
  ],
  invalid: [
    [both('message.arguments.url.contains("x")'), here],
    [both('true').replace("{ cel: 'true' }", '{ cel: \'u.contains("x")\', variables: { u: arguments.url } }'), here],
    [server('message.arguments.note.contains("x")'), here],
    // The attacker's own answer is evaluated, too.
    [
      withState(
        'mcp_server',
        'tools: [{ name: a, inputSchema: { required: [b] }, responses: [{ content: { content: [] } }] }]',
        indicator('surface: tools/call', 'target: ""', `expression: { cel: 'message.arguments.b == "x"' }`),
      ),
      here,
    ],
    [agUi('x-none: 1', 'message.delta.contains("x")'), here],
    [client('message.artifacts.exists(a, a.name == "x")'), here],
    [client('message.kind == "message"'), here],
  ],
  messages: [
    'the expression fails on an ordinary tools/call request, {"name":"other","arguments":{}}: ',
    'test optional fields with has(), variables with != null',
    '{"name":"fetch","arguments":{"url":"text","n":1,"deep":{"a":"low"}}}',
    'an ordinary tools/call response, {"content":[]}: ',
    'an ordinary run_started response',
    'an ordinary message/send response',
    '{"code":1,"message":"text"',
  ],
})
