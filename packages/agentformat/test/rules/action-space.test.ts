import { describe, expect, test } from 'vitest'
import { findings, testRule } from './harness.ts'

describe('aliases', () => {
  testRule('R-10', 'duplicate_alias', {
    valid: [
      {},
      { space: '{ local_tools: [{ alias: a }, { alias: b }] }' },
      // The same alias in two lists is a clash, not a duplicate.
      { space: '{ local_tools: [{ alias: a }], mcp_servers: [{ alias: a }] }' },
    ],
    invalid: [
      [{ space: '{ local_tools: [{ alias: a }, { alias: b }, { alias: a }] }' }, 'action_space.local_tools[2].alias'],
      [{ space: '{ mcp_servers: [{ alias: a }, { alias: a }] }' }, 'action_space.mcp_servers[1].alias'],
      [
        { space: '{ local_agents: [{ alias: a, source: x }, { alias: a, source: y }] }' },
        'action_space.local_agents[1].alias',
      ],
      [
        { space: '{ remote_agents: [{ alias: a }, { alias: a }, { alias: a }] }' },
        'action_space.remote_agents[1].alias',
        'action_space.remote_agents[2].alias',
      ],
    ],
    message: 'duplicate alias "a" in local_tools',
  })

  testRule('OPEN-46', 'alias_clash', {
    severity: 'warning',
    valid: [{ space: '{ local_tools: [{ alias: a }, { alias: a }], mcp_servers: [{ alias: b }] }' }],
    invalid: [
      [
        { space: '{ local_tools: [{ alias: a }], remote_agents: [{ alias: a }] }' },
        'action_space.remote_agents[0].alias',
      ],
    ],
    message: 'the alias "a" is also used in local_tools',
  })

  const parent = { space: '{ local_agents: [{ alias: parent, source: ./x.agf.yaml }] }' }

  testRule('OPEN-46', 'reserved_alias', {
    severity: 'warning',
    valid: [
      { space: '{ local_tools: [{ alias: parent }] }' },
      // Strategy names are fine: the object form of output_from reaches them.
      { space: '{ local_agents: [{ alias: last, source: ./x.agf.yaml }] }' },
    ],
    invalid: [[parent, 'action_space.local_agents[0].alias']],
    message: 'the alias "parent" is reserved',
  })

  test('OPEN-46 reserved_alias is an error in strict mode', () => {
    expect(findings('OPEN-46', 'reserved_alias', parent, true)).toMatchObject([{ severity: 'error' }])
  })
})

describe('allow lists', () => {
  testRule('OPEN-44', 'duplicate_entry', {
    valid: [
      { space: '{ mcp_servers: [{ alias: a, allowed_tools: [x, { name: y }] }, { alias: b, allowed_tools: [x] }] }' },
    ],
    invalid: [
      [
        { space: '{ mcp_servers: [{ alias: a, allowed_tools: [x, { name: x, approval: true }] }] }' },
        'action_space.mcp_servers[0].allowed_tools[1].name',
      ],
      [
        { space: '{ remote_agents: [{ alias: a, allowed_skills: [{ id: x }, { id: x }, x] }] }' },
        'action_space.remote_agents[0].allowed_skills[1].id',
        'action_space.remote_agents[0].allowed_skills[2]',
      ],
    ],
    message: 'duplicate entry "x" in the allow list of "a"',
  })

  testRule('OPEN-44', 'empty_allow_list', {
    severity: 'warning',
    valid: [
      { space: '{ mcp_servers: [{ alias: a }] }' },
      {
        space:
          '{ mcp_servers: [{ alias: a, allowed_tools: [x] }], remote_agents: [{ alias: b, allowed_skills: [y] }] }',
      },
    ],
    invalid: [
      [{ space: '{ mcp_servers: [{ alias: a, allowed_tools: [] }] }' }, 'action_space.mcp_servers[0].allowed_tools'],
      [
        { space: '{ remote_agents: [{ alias: a, allowed_skills: [] }] }' },
        'action_space.remote_agents[0].allowed_skills',
      ],
    ],
    message: 'empty allow list: nothing of "a" can be used',
  })
})

describe('empty server ref', () => {
  testRule('OPEN-44', 'empty_server_ref', {
    severity: 'warning',
    valid: [{ space: '{ mcp_servers: [{ alias: a }, { alias: b, server_ref: org.example.api }] }' }],
    invalid: [
      [
        { space: '{ mcp_servers: [{ alias: a }, { alias: b, server_ref: "" }] }' },
        'action_space.mcp_servers[1].server_ref',
      ],
    ],
    message: 'empty server_ref: the alias is used instead',
  })
})
