/** Tools, resources and prompts of an MCP server as callables. */
import type { Approval, McpServer } from '@joust/agentformat'
import type { Callable } from '../model/callable.ts'
import type { McpConnection } from '../model/connection.ts'
import type { Candidate } from './names.ts'

/** An agent's use of a connection. Server requests during `during` belong to that agent. */
export interface McpUse {
  readonly connection: McpConnection
  during<T>(work: () => Promise<T>): Promise<T>
}

export type McpSource = (signal: AbortSignal) => Promise<Candidate[]>

type McpCallable = Pick<Callable, 'name' | 'description' | 'inputSchema' | 'repeatable' | 'invoke'>

/** Creates a candidate; `own` is the name on the server. */
export function mcpCandidate(
  { alias }: McpServer,
  own: string,
  approval: Approval | undefined,
  offered: McpCallable,
): Candidate {
  const prefixed = `${alias}__${own}`
  const names = [offered.name === prefixed ? own : prefixed, alias]
  const callable: Callable = { ...offered, names, kind: 'mcp', approval: { kind: 'mcp_tool', over: 'args', approval } }
  return { fallback: prefixed, lowPriority: true, callable }
}
