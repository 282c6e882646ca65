/** Agents as an MCP server over standard streams. */
import type { Readable, Writable } from 'node:stream'
import type { Agent } from '@joust/agentformat'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import type { RunOptions } from '../model/options.ts'
import type { Runtime } from '../runtime.ts'
import { createMcpServer, openMcpHost } from './mcp-server.ts'

/** Where the client is; default: the streams of the process. */
export interface StdioOptions extends Pick<RunOptions, 'memoryScope'> {
  readonly input?: Readable
  readonly output?: Writable
}

/** A connection that is served. */
export interface ServedStdio {
  /** Settles when the client is gone or the connection was closed. */
  readonly closed: Promise<void>
  close(): Promise<void>
}

/** Serves one client. What is running when it leaves is cancelled. */
export async function serveMcpStdio(
  runtime: Runtime,
  agents: Agent | readonly Agent[],
  options: StdioOptions = {},
): Promise<ServedStdio> {
  const host = await openMcpHost(runtime, agents, options)
  const transport = new StdioServerTransport(options.input, options.output)
  const handle = serveStdio(() => createMcpServer(host), { transport })
  const closed = new Promise<void>((resolve) => {
    const { onclose } = transport
    transport.onclose = () => {
      onclose?.()
      host.stopping.abort(new Error('the client disconnected'))
      resolve()
    }
  })
  return {
    closed,
    async close() {
      await handle.close()
      await closed
    },
  }
}
