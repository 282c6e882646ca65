/** Bindings to servers over a transport provided by the host, for example in memory. */
import type { Transport } from '@modelcontextprotocol/client'
import type { McpBinding } from '../model/bindings.ts'

interface TransportSettings {
  /** Timeout of a request, in milliseconds. @default runtimeLimits.mcpRequestMs */
  readonly timeoutMs?: number
}

/**
 * Creates a binding from a transport of the MCP SDK. `open` is called again after a lost connection.
 *
 * @example
 * const runtime = createRuntime({ mcpServers: { files: mcpTransport(() => transport) } })
 */
export function mcpTransport(open: () => Transport | Promise<Transport>, settings: TransportSettings = {}): McpBinding {
  return {
    async connect(handlers) {
      // Import the SDK on first use only.
      const { connectTransport } = await import('./mcp-connection.ts')
      const transport = await open()
      return connectTransport(() => transport, { handlers, ...settings })
    },
  }
}
