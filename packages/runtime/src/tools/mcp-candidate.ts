/** What an MCP server offers, as something that an agent can call. */
import type { Approval, McpServer } from '@joust/agentformat'
import type { Callable } from '../model/callable.ts'
import type { McpConnection } from '../model/connection.ts'
import type { Candidate } from './names.ts'

/** A connection as one agent uses it: during `during`, questions of the server concern that agent. */
export interface McpUse {
  readonly connection: McpConnection
  during<T>(work: () => Promise<T>): Promise<T>
}

/** Lists what a server offers. */
export type McpSource = (signal: AbortSignal) => Promise<Candidate[]>

/** Something that a server can be asked for, as a model sees it. */
type McpOffer = Pick<Callable, 'name' | 'description' | 'inputSchema' | 'repeatable' | 'invoke'>

/** The candidate for an offer; `own` is the name that the server gives it. */
export function mcpCandidate(
  { alias }: McpServer,
  own: string,
  approval: Approval | undefined,
  offer: McpOffer,
): Candidate {
  const prefixed = `${alias}__${own}`
  const names = [offer.name === prefixed ? own : prefixed, alias]
  const callable: Callable = { ...offer, names, kind: 'mcp', approval: { kind: 'mcp_tool', over: 'args', approval } }
  return { otherwise: prefixed, yields: true, callable }
}
