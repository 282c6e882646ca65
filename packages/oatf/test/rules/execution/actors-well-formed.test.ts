import { testRule } from '../harness.ts'

const actors = (...items: string[]) => `attack: { execution: { actors: [${items.join(', ')}] } }`
const phases = 'phases: [{ state: {} }]'

testRule('V-031', {
  valid: [
    'attack: { execution: { mode: mcp_server, state: {} } }',
    'attack: { execution: { phases: [{ name: a }, { name: a }] } }',
    actors(`{ name: server, mode: mcp_server, ${phases} }`, `{ name: client_2, mode: mcp_client, ${phases} }`),
    actors(
      '{ name: a, mode: mcp_server, phases: [{ name: one }, { name: two }] }',
      '{ name: b, mode: mcp_server, phases: [{ name: one }] }',
    ),
    // Names of phases are left to another rule, so that a repeated one is a single finding.
    actors('{ name: server, mode: mcp_server, phases: [{ name: trust }, { name: trust }] }'),
    // The form of a mode is left to another rule.
    actors(`{ name: server, mode: mcp, ${phases} }`),
  ],
  invalid: [
    [actors(`{ name: Weather-Server, mode: mcp_server, ${phases} }`), 'attack.execution.actors[0].name'],
    [
      actors(`{ name: server, mode: mcp_server, ${phases} }`, `{ name: server, mode: a2a_server, ${phases} }`),
      'attack.execution.actors[1].name',
    ],
    [actors(`{ mode: mcp_server, ${phases} }`), 'attack.execution.actors[0].name'],
    [actors(`{ name: 7, mode: mcp_server, ${phases} }`), 'attack.execution.actors[0].name'],
    [actors(`{ name: server, ${phases} }`), 'attack.execution.actors[0].mode'],
    [actors(`{ name: server, mode: [], ${phases} }`), 'attack.execution.actors[0].mode'],
    [actors('{ name: server, mode: mcp_server }'), 'attack.execution.actors[0].phases'],
    [actors('{ name: server, mode: mcp_server, phases: [] }'), 'attack.execution.actors[0].phases'],
    [actors(), 'attack.execution.actors'],
    [actors('server'), 'attack.execution.actors[0]'],
    ['attack: { execution: { actors: { name: server } } }', 'attack.execution.actors'],
  ],
  message: 'Did you mean "weather_server"?',
})
