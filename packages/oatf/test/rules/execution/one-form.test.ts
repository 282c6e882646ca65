import { testRule } from '../harness.ts'

const execution = (fields: string) => `attack: { execution: { ${fields} } }`

testRule('V-030', {
  valid: [
    execution('mode: mcp_server, state: {}'),
    execution('phases: []'),
    execution('mode: mcp_server, phases: []'),
    execution('actors: []'),
    'attack: {}',
    'attack: { execution: [] }',
  ],
  invalid: [
    [execution('mode: mcp_server, state: {}, phases: []'), 'attack.execution'],
    [execution('mode: mcp_server, state: {}, actors: []'), 'attack.execution', 'attack.execution.mode'],
    [execution('phases: [], actors: []'), 'attack.execution'],
    [execution('mode: mcp_server, actors: []'), 'attack.execution.mode'],
    [execution('mode: mcp_server'), 'attack.execution'],
    [execution(''), 'attack.execution'],
    [execution('state: {}'), 'attack.execution.mode'],
    [execution('state: {}, phases: []'), 'attack.execution', 'attack.execution.mode'],
  ],
  message: 'expected one of "state", "phases", "actors", got "state" and "phases"',
})
