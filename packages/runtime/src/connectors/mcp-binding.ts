/** Servers that a host reaches by a transport of its own, for example in memory. */
import type { Transport } from '@modelcontextprotocol/client'
import type { McpBinding } from '../model/bindings.ts'

/** A binding for a transport of the MCP SDK. `open` is called again when a connection was lost. */
export function mcpTransport(
  open: () => Transport | Promise<Transport>,
  settings: { readonly timeoutMs?: number } = {},
): McpBinding {
  return {
    async connect(handlers) {
      // The SDK is loaded with the first connection, not with the runtime.
      const { connectTransport } = await import('./mcp-connection.ts')
      const transport = await open()
      return connectTransport(() => transport, { handlers, ...settings })
    },
  }
}
