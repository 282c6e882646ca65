/** Agents as an MCP server over standard streams. */
import { pipeline, type Readable, Transform, type Writable } from 'node:stream'
import type { Agent } from '@joust/agentformat'
import { replaceLostIntegers } from '@joust/source'
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

/** Passes lines on. The library would change integers beyond 2^53, so they become strings, for the schemas to refuse. */
function exactLines(): Transform {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let kept = ''
  const passed = (end: number): string => {
    const text = replaceLostIntegers(kept.slice(0, end), (numeral) => JSON.stringify(numeral))
    kept = kept.slice(end)
    return text
  }
  return new Transform({
    transform(chunk: Uint8Array, _, done) {
      kept += decoder.decode(chunk, { stream: true })
      done(null, passed(kept.lastIndexOf('\n') + 1))
    },
    flush(done) {
      done(null, passed(kept.length))
    },
  })
}
