/** What an MCP server offers, within its allow list: its tools, and what it offers to read. */

import type { Approval, McpServer } from '@joust/agentformat'
import { startWithin } from '@joust/io'
import { messageOf, type Value } from '@joust/source'
import type { AgentContext } from '../context/agent-context.ts'
import type { McpTool } from '../model/connection.ts'
import { RunFailure } from '../model/errors.ts'
import { journaled } from '../model/journal.ts'
import { runtimeLimits } from '../model/limits.ts'
import { type McpSource, type McpUse, mcpCandidate } from './mcp-candidate.ts'
import { readingSource } from './mcp-reading.ts'
import type { Candidate } from './names.ts'

/** The source of a server. Each listing asks the server anew, so changes to its tools are seen. */
export function mcpSource(server: McpServer, use: McpUse, context: AgentContext): McpSource {
  let last: readonly McpTool[] | undefined
  const warned = new Set<string>()
  const reading = readingSource(server, use, context)
  return async (signal) => {
    last = await listTools(server, use, context, signal, last)
    const offered = new Set(last.map((tool) => tool.name))
    for (const { name } of allowedEntries(server)) {
      if (offered.has(name) || warned.has(name)) continue
      warned.add(name)
      context.warn('tool_not_offered', `the server ${server.alias} does not offer the tool ${JSON.stringify(name)}`)
    }
    const tools = last.flatMap((tool) => {
      const entry = entryOf(server, tool.name)
      return entry === undefined ? [] : [toolCandidate(server, tool, entry.approval, use)]
    })
    return server.allowed_tools === undefined ? [...tools, ...(await reading(signal))] : tools
  }
}

/** When a server stops answering, its last list is kept: its tools then fail one by one, as observations. */
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
    const list = (within: AbortSignal) => use.during(() => use.connection.listTools(within))
    const { alias } = server
    // A server that was restarted may list its first tools again; the agent continues with what it saw.
    const listed = await journaled(context.journal, {
      kind: 'list',
      request: { tools: alias },
      act: () => startWithin(clock, milliseconds, [signal], list),
    })
    const seen = new Set<string>()
    // A name that occurs twice is one tool: the server could not tell the calls apart.
    return listed.filter((tool) => !seen.has(tool.name) && seen.add(tool.name))
  } catch (thrown) {
    if (signal.aborted || last === undefined) throw listFailure(server, thrown, context)
    context.warn('server_failed', `the server ${server.alias} does not list its tools: ${messageOf(thrown)}`)
    return last
  }
}

function listFailure(server: McpServer, thrown: unknown, context: AgentContext): unknown {
  if (thrown instanceof RunFailure) return thrown
  const message = `the server ${server.alias} does not list its tools: ${messageOf(thrown)}`
  return new RunFailure({ code: 'tool_failed', message, agent: context.path, cause: { message: messageOf(thrown) } })
}

interface Entry {
  readonly name: string
  readonly approval?: Approval
}

function allowedEntries({ allowed_tools = [] }: McpServer): Entry[] {
  return allowed_tools.map((entry) => (typeof entry === 'string' ? { name: entry } : entry))
}

/** How a tool is allowed; undefined when it is not. Its own entry overrides the server's approval (OPEN-40). */
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
