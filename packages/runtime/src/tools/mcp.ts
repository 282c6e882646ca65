/** An MCP server's callables within its allow list: tools, resources and prompts. */
import type { Approval, McpServer } from '@joust/agentformat'
import { startWithin } from '@joust/io'
import { messageOf, type Value } from '@joust/source'
import type { AgentContext } from '../context/agent-context.ts'
import type { McpTool } from '../model/connection.ts'
import { RunFailure } from '../model/errors.ts'
import { journaled } from '../model/journal.ts'
import { runtimeLimits } from '../model/limits.ts'
import { type McpSource, type McpUse, mcpCandidate } from './mcp-candidate.ts'
import { resourceSource } from './mcp-resources.ts'
import type { Candidate } from './names.ts'

/** Creates the source of a server's callables. Each call lists the tools again to detect changes. */
export function mcpSource(server: McpServer, use: McpUse, context: AgentContext): McpSource {
  let last: readonly McpTool[] | undefined
  const warned = new Set<string>()
  const resources = resourceSource(server, use, context)
  return async (signal) => {
    last = await listTools(server, use, context, signal, last)
    const names = new Set(last.map((tool) => tool.name))
    for (const { name } of allowedEntries(server)) {
      if (names.has(name) || warned.has(name)) continue
      warned.add(name)
      context.warn('tool_not_offered', `server ${server.alias} has no tool ${JSON.stringify(name)}`)
    }
    const tools = last.flatMap((tool) => {
      const entry = entryOf(server, tool.name)
      return entry === undefined ? [] : [toolCandidate(server, tool, entry.approval, use)]
    })
    return server.allowed_tools === undefined ? [...tools, ...(await resources(signal))] : tools
  }
}

/** Lists tools. If the server stops responding, returns the last list; calls then fail one by one. */
async function listTools(
  server: McpServer,
  use: McpUse,
  context: AgentContext,
  signal: AbortSignal,
  last: readonly McpTool[] | undefined,
): Promise<readonly McpTool[]> {
  try {
    const { clock, options } = context
    const milliseconds = options.timeouts?.connectMs ?? runtimeLimits.connectMs
    const request = (within: AbortSignal) => use.during(() => use.connection.listTools(within))
    // A restarted server may return a different list. A resumed agent continues with the recorded one.
    const act = () => startWithin(clock, milliseconds, [signal], request)
    const list = await journaled(context.journal, { kind: 'list', request: { tools: server.alias }, act })
    const names = new Set<string>()
    // Duplicate names are dropped, because the server could not distinguish the calls.
    return list.filter((tool) => !names.has(tool.name) && names.add(tool.name))
  } catch (thrown) {
    if (signal.aborted || last === undefined) throw listFailure(server, thrown, context)
    context.warn('server_failed', `cannot list the tools of server ${server.alias}: ${messageOf(thrown)}`)
    return last
  }
}

function listFailure(server: McpServer, thrown: unknown, context: AgentContext): unknown {
  if (thrown instanceof RunFailure) return thrown
  const message = `cannot list the tools of server ${server.alias}: ${messageOf(thrown)}`
  return new RunFailure({ code: 'tool_failed', message, agent: context.path, cause: { message: messageOf(thrown) } })
}

interface Entry {
  readonly name: string
  readonly approval?: Approval
}

function allowedEntries({ allowed_tools = [] }: McpServer): Entry[] {
  return allowed_tools.map((entry) => (typeof entry === 'string' ? { name: entry } : entry))
}

/** Returns a tool's allow list entry, whose approval setting overrides the server's (decision 0019, OPEN-40). */
function entryOf(server: McpServer, name: string): Entry | undefined {
  const blanket = server.approval === undefined ? { name } : { name, approval: server.approval }
  if (server.allowed_tools === undefined) return blanket
  const entry = allowedEntries(server).find((candidate) => candidate.name === name)
  return entry === undefined || entry.approval !== undefined ? entry : blanket
}

function toolCandidate(server: McpServer, tool: McpTool, approval: Approval | undefined, use: McpUse): Candidate {
  const { name, description, inputSchema, repeatable = false } = tool
  const invoke = (args: Value, signal: AbortSignal) => use.during(() => use.connection.callTool(name, args, signal))
  return mcpCandidate(server, name, approval, { name, description, inputSchema, repeatable, invoke })
}
