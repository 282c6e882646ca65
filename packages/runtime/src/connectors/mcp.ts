/** MCP servers by command or address. */
import type { CommandBinding, UrlBinding } from '../model/bindings.ts'
import type { McpConnection, McpHandlers } from '../model/connection.ts'
import { connectTransport } from './mcp-connection.ts'
import { HttpTransport } from './mcp-http.ts'
import { StdioTransport } from './mcp-stdio.ts'
import { createRedact } from './secrets.ts'

/** Starts or reaches a server. Rejects with an error whose message says what is wrong and shows no secret. */
export async function connectMcp(
  binding: CommandBinding | UrlBinding,
  handlers: McpHandlers,
  signal: AbortSignal,
): Promise<McpConnection> {
  const transport = 'command' in binding ? new StdioTransport(binding) : new HttpTransport(binding)
  const { timeoutMs } = binding
  const redact = createRedact(binding)
  return connectTransport(transport, { handlers, signal, redact, ...(timeoutMs === undefined ? {} : { timeoutMs }) })
}
