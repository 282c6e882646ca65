import { testLint, withState } from '../harness.ts'

const tool = (schema: string, rest = '') =>
  withState('mcp_server', `tools: [{ name: a, inputSchema: ${schema} }]`, rest)
const BROKEN = '{ required: [recipent], properties: { recipient: { type: string } } }'

testLint('L-028', {
  valid: [
    tool('{ required: [recipient], properties: { recipient: {} } }'),
    tool('{ required: [], properties: {} }'),
    tool('{ required: recipient, properties: { to: {} } }'),
    // Nothing is declared, so nothing is known.
    tool('{ required: [recipient] }'),
    // Names from elsewhere.
    tool('{ required: [a], properties: { b: {} }, patternProperties: { "^a": {} } }'),
    tool('{ required: [a], properties: { b: {} }, additionalProperties: { type: string } }'),
    tool('{ required: [a], properties: { b: {} }, allOf: [{ properties: { a: {} } }] }'),
    tool(BROKEN, 'x-joust-verbatim: true'),
  ],
  invalid: [
    [tool(BROKEN), 'attack.execution.state.tools[0].inputSchema.required[0]'],
    [
      tool('{ required: [a, z], properties: { a: {} }, additionalProperties: false }'),
      'attack.execution.state.tools[0].inputSchema.required[1]',
    ],
    [
      tool(
        '{ properties: { to: { required: [city], properties: {} }, all: { items: { required: [x], properties: {} } } } }',
      ),
      'attack.execution.state.tools[0].inputSchema.properties.to.required[0]',
      'attack.execution.state.tools[0].inputSchema.properties.all.items.required[0]',
    ],
    [
      withState(
        'ag_ui_client',
        'run_agent_input: { threadId: a, runId: b, tools: [{ name: x, parameters: { required: [a], properties: {} } }] }',
      ),
      'attack.execution.state.run_agent_input.tools[0].parameters.required[0]',
    ],
    [
      withState('mcp_server', 'elicitations: [{ message: m, requestedSchema: { required: [pin], properties: {} } }]'),
      'attack.execution.state.elicitations[0].requestedSchema.required[0]',
    ],
  ],
  messages: [
    'required property "recipent" is not declared in "properties". Did you mean "recipient"?',
    'required property "z"',
    'required property "city"',
    'required property "a"',
    'required property "pin"',
  ],
})
