import { testRule } from '../harness.ts'

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
