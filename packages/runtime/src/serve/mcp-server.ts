/** The MCP server of one connection. */
import type { Agent } from '@joust/agentformat'
import { linkSignals } from '@joust/io'
import { isRecord } from '@joust/source'
import {
  type Notification,
  type ProgressToken,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server'
import { schemaValidator } from '../connectors/mcp-validator.ts'
import type { EventListener, RunEvent } from '../model/events.ts'
import { toValue } from '../model/json-value.ts'
import type { Runtime } from '../runtime.ts'
import { requireReady, type ServeOptions } from './http.ts'
import { type AgentTool, agentTools, errorResult } from './mcp-tools.ts'

/** State shared by all connections. */
export interface McpHost {
  readonly runtime: Runtime
  readonly tools: ReadonlyMap<string, AgentTool>
  readonly memoryScope: string | undefined
  /** Aborted when the server stops. */
  readonly stopping: AbortController
}

/** Prepares agents for serving. Rejects with the `RunFailure` that would prevent every run of one of them. */
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

/** Creates the server of a connection; `signalOf` returns a signal that is aborted when the client disconnects. */
export function createMcpServer(
  { runtime, tools, memoryScope, stopping }: McpHost,
  signalOf: (id: string | number) => AbortSignal | undefined = () => undefined,
): Server {
  const server = new Server(serverInfo(tools), { capabilities: { tools: {} }, jsonSchemaValidator: schemaValidator })
  server.setRequestHandler('tools/list', () => ({ tools: [...tools.values()].map(({ definition }) => definition) }))
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const tool = tools.get(params.name)
    if (tool === undefined) throw invalid(`unknown tool ${JSON.stringify(params.name)}`)
    const args = toValue(params.arguments ?? {})
    if (!args.ok || !isRecord(args.value)) throw invalid('the arguments must be an object')
    const link = linkSignals([mcpReq.signal, stopping.signal, signalOf(mcpReq.id)])
    const progress = createProgress(mcpReq._meta?.progressToken, mcpReq.notify)
    try {
      const outcome = await runtime.run(tool.agent, tool.inputOf(args.value), {
        ...{ memoryScope, signal: link.signal },
        ...(progress && { onEvent: progress.take }),
      })
      // Clients reject notifications that arrive after the result.
      await progress?.sent()
      return outcome.ok ? tool.resultOf(outcome.value.output) : errorResult(outcome.error)
    } finally {
      link.close()
    }
  })
  return server
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message)
}

/** Uses the name of a single agent, or a general name for several. */
function serverInfo(tools: ReadonlyMap<string, AgentTool>): { name: string; version: string; title?: string } {
  const [first, ...others] = tools.values()
  if (first === undefined || others.length > 0) return { name: 'agents', version: '1' }
  const { id, version, name } = first.agent.document.metadata
  return { name: id, version, title: name }
}

/** Sends a notification for each step of a run; undefined if the client sent no token. */
function createProgress(
  progressToken: ProgressToken | undefined,
  notify: (notification: Notification) => Promise<void>,
): { readonly take: EventListener; sent(): Promise<void> } | undefined {
  if (progressToken === undefined) return undefined
  let progress = 0
  let sent = Promise.resolve()
  return {
    take(event) {
      const message = stepText(event)
      if (message === undefined) return
      progress += 1
      const params = { progressToken, progress, message }
      // Errors are ignored; a disconnect aborts the run through its signal.
      sent = sent.then(() => notify({ method: 'notifications/progress', params })).catch(() => {})
    },
    sent: () => sent,
  }
}

/** Describes a step; undefined for other events. */
function stepText(event: RunEvent): string | undefined {
  switch (event.type) {
    case 'agent-started':
      return `${event.id} started`
    case 'agent-finished':
      return `${event.agent.at(-1) ?? 'the agent'} finished`
    case 'model-called':
      return 'calling the model'
    case 'model-answered':
      return 'the model answered'
    case 'model-failed':
      return 'the model failed'
    case 'approval-asked':
      return `waiting for approval of ${event.target}`
    case 'approval-answered':
      return `${event.target} was ${event.approved ? 'approved' : 'denied'}`
    case 'tool-called':
      return `calling ${event.name}`
    case 'tool-answered':
      return `${event.name} answered`
    case 'tool-failed':
      return `${event.name} failed`
    default:
      return undefined
  }
}
