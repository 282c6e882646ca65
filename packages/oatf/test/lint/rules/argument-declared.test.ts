import { testLint, withActors, withState } from '../harness.ts'

const PAY = '{ name: pay, inputSchema: { properties: { to: { type: string }, address: ADDRESS } } }'
const ADDRESS = '{ properties: { city: { type: string } } }'

const tools = (target: string, { tool = PAY, address = ADDRESS, description = 'Pays.', when = 'name' } = {}) =>
  withState(
    'mcp_server',
    `tools:
  - ${tool.replace('ADDRESS', address)}
  - { name: look, description: "${description}", inputSchema: { properties: {} }, responses: [{ when: { ${when}: x }, content: [] }] }`,
    `indicators:\n  - { surface: tools/call, direction: request, ${target} }`,
  )
const target = (path: string) => `target: '${path}', pattern: { contains: a }`

testLint('L-027', {
  valid: [
    tools(target('arguments.to')),
    tools(target('arguments')),
    tools(target('arguments.address.city')),
    tools(target('name')),
    // A text names it, if only in passing.
    tools(target('arguments.debug'), { description: 'Set debug to get more.' }),
    // A tool that takes more than it declares.
    tools(target('arguments.debug'), { tool: '{ name: pay }' }),
    tools(target('arguments.debug'), { tool: '{ name: pay, inputSchema: { type: object } }' }),
    tools(target('arguments.debug'), {
      tool: '{ name: p, inputSchema: { properties: {}, additionalProperties: {} } }',
    }),
    tools(target('arguments.debug'), { tool: '{ name: p, inputSchema: { properties: {}, anyOf: [] } }' }),
    tools(target('arguments.address.zip'), { address: '{ type: object }' }),
    tools(target('arguments.address[*].zip')),
    // Misspelled, which another rule reports.
    tools(target('arguments.adress')),
    // The answer has arguments of its own.
    tools(target('arguments.debug').replace('target', 'direction: response, target')).replace(
      'direction: request, ',
      '',
    ),
    // Another actor may offer a tool that takes it.
    withActors(
      `- { name: one, mode: mcp_server, phases: [{ state: { tools: [{ name: pay, inputSchema: { properties: { to: {} } } }] } }] }
- { name: two, mode: mcp_server, phases: [{ state: { tools: [{ name: look, inputSchema: { properties: { debug: {} } } }] } }] }`,
      `indicators:\n  - { protocol: mcp, surface: tools/call, direction: request, ${target('arguments.debug')} }`,
    ),
    // Tools of the agent are not known.
    withState(
      'mcp_client',
      'actions: [{ method: tools/call, params: { name: pay } }]',
      `indicators:\n  - { surface: tools/call, direction: request, ${target('arguments.debug')} }`,
    ),
  ],
  invalid: [
    [tools(target('arguments.debug')), 'attack.indicators[0].target'],
    [tools(target('arguments.address.zip')), 'attack.indicators[0].target'],
    [
      tools('target: arguments, expression: { cel: "has(message.arguments.debug)" }'),
      'attack.indicators[0].expression.cel',
    ],
    [
      tools(target('name'), { when: 'arguments.debug' }),
      'attack.execution.state.tools[1].responses[0].when.arguments.debug',
    ],
    [
      withActors(
        `- { name: one, mode: mcp_server, phases: [{ state: { tools: [{ name: pay, inputSchema: { properties: { to: {} } } }] } }] }
- { name: two, mode: mcp_server, phases: [{ state: { tools: [{ name: look, inputSchema: { properties: { debug: {} } } }] } }] }`,
        `indicators:\n  - { protocol: mcp, actor: one, surface: tools/call, direction: request, ${target('arguments.debug')} }`,
      ),
      'attack.indicators[0].target',
    ],
  ],
  messages: [
    'unknown argument "debug": no tool declares it and no text mentions it, so an agent is unlikely to send it',
    'unknown argument "zip"',
    'unknown argument "debug"',
    'unknown argument "debug"',
    'unknown argument "debug"',
  ],
})
