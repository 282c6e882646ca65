import { indicator, testLint, withActors, withState } from '../harness.ts'

const server = (...fields: string[]) => withState('mcp_server', 'tools: []', indicator(...fields))
const client = (...fields: string[]) =>
  withState('mcp_client', 'actions: [{ method: tools/call, params: { name: x } }]', indicator(...fields))
const agUi = (...fields: string[]) =>
  withState('ag_ui_client', 'run_agent_input: { threadId: t, runId: r }', indicator(...fields))
const a2a = (...fields: string[]) => withState('a2a_server', 'task_responses: []', indicator(...fields))
const contains = 'pattern: { contains: x }'
const cel = (text: string) => `expression: { cel: '${text}' }`

testLint('L-001', {
  valid: [
    server('target: arguments.any.thing', contains),
    server('target: ""', contains),
    server('surface: tools/call', 'direction: request', 'target: name', contains),
    server('surface: tools/call', 'target: content[*].text', contains),
    server('surface: tools/call', 'direction: response', 'target: structuredContent.a[*].b', contains),
    // An error is an answer as well.
    server('surface: tools/call', 'direction: response', 'target: data.reason', contains),
    // The reply to a server's question.
    server('surface: elicitation/create', 'direction: response', 'target: content.password', contains),
    server('surface: sampling/createMessage', 'target: content.text', contains),
    // What the attacker itself adds exists, too.
    withState(
      'mcp_server',
      'tools: [{ name: a, responses: [{ content: { odd: [{ thing: 1 }] } }] }]',
      indicator('surface: tools/call', 'target: odd[*].thing', contains),
    ),
    client('surface: tools/call', 'direction: response', 'target: _request.arguments.path', contains),
    agUi('surface: text_message_content', 'target: delta', contains),
    agUi('surface: run_agent_input', 'target: messages[*].content[*].text', contains),
    agUi('surface: tool_call_args', 'target: toolCallName', contains),
    a2a('direction: request', 'target: message.parts[*].data.any', contains),
    a2a('surface: agent_card/get', 'target: skills[*].description', contains),
    // L-022 says more about it.
    a2a('direction: request', 'target: name', contains),
    // What is unknown is not judged.
    server('surface: tools/dance', 'target: anything', contains),
    withState('mail_server', 'x: 1', indicator('target: anything', contains)),
    // The target of an expression is only for human readers.
    server('target: anything', cel('message.name == "x"')),
    server('target: ""', cel('message.content.exists(c, c.type == "text" && c.text.contains("x"))')),
    server('target: ""', cel('has(message.arguments) && message["arguments"].list[0].x == type(1)')),
    server('target: ""', cel('message.exists(key, key == "x") && type(message.name) == string')),
    // It checks before it reads, and reads something else as well.
    server('target: ""', cel('has(message.params) ? message.params.name == "x" : message.name == "x"')),
    server('target: ""', 'expression: { cel: tool == "x", variables: { tool: name } }'),
    server('surface: tools/call', 'target: ""', cel('has(message.contents) || has(message.content)')),
    server('surface: tools/call', 'target: ""', cel('has(message.name) && !has(message.isHidden)')),
    server('target: ""', cel('size(message.name) > int("3") && message.name.startsWith("x") && [1].map(a, a) == [1]')),
  ],
  invalid: [
    // The request is the question, which has no such field.
    [
      server('surface: elicitation/create', 'direction: request', 'target: content.password', contains),
      'attack.indicators[0].target',
    ],
    [server('direction: response', 'target: response.content', contains), 'attack.indicators[0].target'],
    [
      server('surface: tools/call', 'target: arguments.x', 'direction: response', contains),
      'attack.indicators[0].target',
    ],
    [server('surface: tools/call', 'target: content.text', contains), 'attack.indicators[0].target'],
    [server('surface: tools/list', 'target: tools[*].descripton', contains), 'attack.indicators[0].target'],
    [
      server('surface: tools/call', 'target: name', 'pattern: { target: params.name, condition: x }'),
      'attack.indicators[0].pattern.target',
    ],
    [server('target: _request.name', contains), 'attack.indicators[0].target'],
    [agUi('direction: response', 'target: response.content', contains), 'attack.indicators[0].target'],
    [
      agUi('surface: text_message_content', 'direction: request', 'target: delta', contains),
      'attack.indicators[0].direction',
    ],
    [a2a('direction: request', 'target: a2a.task.message', contains), 'attack.indicators[0].target'],
    [a2a('direction: request', 'target: skill', 'semantic: { intent: x }'), 'attack.indicators[0].target'],
    [
      server('target: ""', cel('message.params.name == "x" && message.params.arguments.y')),
      'attack.indicators[0].expression.cel',
    ],
    [
      server('surface: tools/call', 'target: ""', cel('message.content.exists(c, c.txt == "x")')),
      'attack.indicators[0].expression.cel',
    ],
    [server('target: ""', cel('has(message.method)')), 'attack.indicators[0].expression.cel'],
    [server('target: ""', cel('request.name == "x"')), 'attack.indicators[0].expression.cel'],
    [
      server(
        'surface: tools/call',
        'target: ""',
        'expression: { cel: a == b, variables: { a: name, b: content.text } }',
      ),
      'attack.indicators[0].expression.variables.b',
    ],
    // Misspelled, and so never there.
    [
      server('surface: tools/call', 'target: ""', cel('has(message.conteent) && !has(message.isError)')),
      'attack.indicators[0].expression.cel',
    ],
    [
      server('surface: tools/call', 'target: ""', cel('has(message.arguments) && has(message.argumenos.role)')),
      'attack.indicators[0].expression.cel',
    ],
    [
      server('target: ""', cel('has(message.name) && !(his(message.isError) && message.name.contain("x"))')),
      'attack.indicators[0].expression.cel',
      'attack.indicators[0].expression.cel',
    ],
    [
      withActors(
        `- { name: one, mode: mcp_server, phases: [{ state: { tools: [] } }] }
- { name: two, mode: a2a_server, phases: [{ state: { task_responses: [] } }] }`,
        indicator(
          'protocol: a2a',
          'actor: two',
          'surface: message/send',
          'direction: request',
          'target: inputs',
          contains,
        ),
      ),
      'attack.indicators[0].target',
    ],
  ],
  messages: [
    'no elicitation/create request has "content.password"',
    'no mcp response has "response.content"; the nearest path is "content[*].text" (tools/call)',
    'no tools/call response has "arguments.x"',
    'no tools/call message has "content.text". Did you mean "content[*].text"?',
    'Did you mean "tools[*].description"?',
    'no tools/call message has "params.name". Did you mean "name"?',
    'no mcp message has "_request.name"; the nearest path is "name" (tools/call)',
    'no ag_ui response has "response.content"; the nearest path is "delta" (text_message_content)',
    '"text_message_content" has no request; set direction: response',
    'no a2a request has "a2a.task.message"; the nearest path is "message.parts[*].text" (message/send)',
    'no a2a request has "skill"',
    'no mcp message has "params.name"; the nearest path is "name" (tools/call)',
    'no tools/call message has "content[*].txt"; the nearest path is "content[*].text"',
    'no mcp message has "method"',
    'unknown variable "request"; use "message", or declare it under "variables"',
    'no tools/call message has "content.text"; a variable cannot select from the list "content", use CEL instead',
    'no tools/call message has "conteent"; the nearest path is "content',
    'no tools/call message has "argumenos.role"',
    'unknown CEL function',
    'no message/send request has "inputs"',
  ],
})
