/** One MCP server: what a connection sees of the agents. */

import type { Agent } from '@joust/agentformat'
import { linkSignals } from '@joust/io'
import { isRecord } from '@joust/source'
import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import { schemaValidator } from '../connectors/mcp-validator.ts'
import { toValue } from '../model/json-value.ts'
import type { Runtime } from '../runtime.ts'
import { requireReady, type ServeOptions } from './http.ts'
import { createProgress } from './mcp-progress.ts'
import { type AgentTool, agentTools, faultResult } from './mcp-tools.ts'

/** What all connections share. */
export interface McpHost {
  readonly runtime: Runtime
  readonly tools: ReadonlyMap<string, AgentTool>
  readonly memoryScope: string | undefined
  /** Aborted when the server stops. */
  readonly stopping: AbortController
}

/** Prepares to serve agents. Rejects with the `RunFailure` that every run of one of them would end with. */
export async function openMcpHost(
  runtime: Runtime,
  agents: Agent | readonly Agent[],
  options: Pick<ServeOptions, 'memoryScope' | 'prepare'>,
): Promise<McpHost> {
  const served = 'document' in agents ? [agents] : agents
  await requireReady(runtime, served, options)
  const { memoryScope } = options
  return { runtime, tools: agentTools(served), memoryScope, stopping: new AbortController() }
}

/** Makes the server of a connection; `signalOf` gives a signal that fires when the client can no longer be answered. */
export function createMcpServer(
  { runtime, tools, memoryScope, stopping }: McpHost,
  signalOf: (id: string | number) => AbortSignal | undefined = () => undefined,
): Server {
  const server = new Server(serverInfo(tools), { capabilities: { tools: {} }, jsonSchemaValidator: schemaValidator })
  server.setRequestHandler('tools/list', () => ({ tools: [...tools.values()].map(({ definition }) => definition) }))
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const tool = tools.get(params.name)
    if (tool === undefined) throw invalid(`there is no tool ${JSON.stringify(params.name)}`)
    const args = toValue(params.arguments ?? {})
    if (!args.ok || !isRecord(args.value)) throw invalid('the arguments must be an object')
    const link = linkSignals([mcpReq.signal, stopping.signal, signalOf(mcpReq.id)])
    const progress = createProgress(mcpReq._meta?.progressToken, mcpReq.notify)
    try {
      const outcome = await runtime.run(tool.agent, tool.inputOf(args.value), {
        ...{ memoryScope, signal: link.signal },
        ...(progress && { onEvent: progress.take }),
      })
      // A client takes nothing for a call that was answered.
      await progress?.sent()
      return outcome.ok ? tool.resultOf(outcome.value.output) : faultResult(outcome.error)
    } finally {
      link.close()
    }
  })
  return server
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message)
}

/** One agent lends its name; several share a plain one. */
function serverInfo(tools: ReadonlyMap<string, AgentTool>): { name: string; version: string; title?: string } {
  const [first, ...others] = tools.values()
  if (first === undefined || others.length > 0) return { name: 'agents', version: '1' }
  const { id, version, name } = first.agent.document.metadata
  return { name: id, version, title: name }
}
