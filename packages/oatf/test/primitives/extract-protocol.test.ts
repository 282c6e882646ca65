import { expect, test } from 'vitest'
import { extractProtocol } from '../../src/primitives/extract-protocol.ts'

test.each([
  ['mcp_server', 'mcp'],
  ['mcp_client', 'mcp'],
  ['a2a_client', 'a2a'],
  ['ag_ui_client', 'ag_ui'],
  ['acme_bus_v2_server', 'acme_bus_v2'],
  ['proxy_client_server', 'proxy_client'],
  ['server_server', 'server'],
  ['_server', ''],
  ['mcp', 'mcp'],
  ['mcp_servers', 'mcp_servers'],
  ['mcp_proxy', 'mcp_proxy'],
  ['mcpserver', 'mcpserver'],
  ['mcp_server\n', 'mcp_server\n'],
  ['', ''],
])('%j speaks %j', (mode, protocol) => {
  expect(extractProtocol(mode)).toBe(protocol)
})
