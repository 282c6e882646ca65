/** Serves agents over MCP on standard streams. */
import { pipeline, type Readable, Transform, type Writable } from 'node:stream'
import type { Agent } from '@joust/agentformat'
import { replaceLostIntegers } from '@joust/source'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Runtime } from '../runtime.ts'
import type { ServeOptions } from './http.ts'
import { createMcpServer, openMcpHost } from './mcp-server.ts'

/** Options for {@link serveMcpStdio}. */
export interface StdioOptions extends Pick<ServeOptions, 'memoryScope' | 'approvals' | 'approvalMs'> {
  /** @default `process.stdin` */
  readonly input?: Readable
  /** @default `process.stdout` */
  readonly output?: Writable
}

export interface ServedStdio {
  /** Resolves when the client disconnects or the connection is closed. */
  readonly closed: Promise<void>
  close(): Promise<void>
}

/** Serves one client. A disconnect cancels its runs. */
export async function serveMcpStdio(
  runtime: Runtime,
  agents: Agent | readonly Agent[],
  options: StdioOptions = {},
): Promise<ServedStdio> {
  const host = await openMcpHost(runtime, agents, options)
  const lines = exactLines()
  pipeline(options.input ?? process.stdin, lines, () => {})
  const transport = new StdioServerTransport(lines, options.output)
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
      lines.destroy()
    },
  }
}

/** Replaces integers beyond 2^53 with strings, which schemas reject. The SDK would round them. */
function exactLines(): Transform {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let buffer = ''
  const take = (end: number): string => {
    const text = replaceLostIntegers(buffer.slice(0, end), (numeral) => JSON.stringify(numeral))
    buffer = buffer.slice(end)
    return text
  }
  return new Transform({
    transform(chunk: Uint8Array, _, done) {
      buffer += decoder.decode(chunk, { stream: true })
      done(null, take(buffer.lastIndexOf('\n') + 1))
    },
    flush(done) {
      done(null, take(buffer.length))
    },
  })
}
