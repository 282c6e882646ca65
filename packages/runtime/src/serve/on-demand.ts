/** The servers, each loaded with its libraries when it is first asked for. */
import type { Agent } from '@joust/agentformat'
import type { Runtime } from '../runtime.ts'
import type { Served, ServeOptions } from './http.ts'
import type { ServedStdio, StdioOptions } from './mcp-stdio.ts'

/** Serves an agent as an AG-UI endpoint. */
export async function serveAgUi(runtime: Runtime, agent: Agent, options?: ServeOptions): Promise<Served> {
  return (await import('./ag-ui.ts')).serveAgUi(runtime, agent, options)
}

/** Serves an agent as an A2A agent, for protocol 1.0 and 0.3. */
export async function serveA2a(runtime: Runtime, agent: Agent, options?: ServeOptions): Promise<Served> {
  return (await import('./a2a.ts')).serveA2a(runtime, agent, options)
}

/** Serves agents as the tools of an MCP server over Streamable HTTP. */
export async function serveMcp(
  runtime: Runtime,
  agents: Agent | readonly Agent[],
  options?: ServeOptions,
): Promise<Served> {
  return (await import('./mcp.ts')).serveMcp(runtime, agents, options)
}

/** Serves agents as the tools of an MCP server over standard streams. */
export async function serveMcpStdio(
  runtime: Runtime,
  agents: Agent | readonly Agent[],
  options?: StdioOptions,
): Promise<ServedStdio> {
  return (await import('./mcp-stdio.ts')).serveMcpStdio(runtime, agents, options)
}
