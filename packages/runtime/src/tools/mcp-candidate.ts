/** What an MCP server offers, as something that an agent can call. */
import type { Approval, McpServer } from '@joust/agentformat'
import type { Value, ValueRecord } from '@joust/source'
import type { McpConnection } from '../model/connection.ts'
import type { Observation } from '../model/observation.ts'
import type { Candidate } from './names.ts'

/** A connection as one agent uses it: during `during`, questions of the server concern that agent. */
export interface McpUse {
  readonly connection: McpConnection
  during<T>(work: () => Promise<T>): Promise<T>
}

/** Lists what a server offers. */
export type McpSource = (signal: AbortSignal) => Promise<Candidate[]>

/** Something that a server can be asked for, as a model sees it. */
export interface McpOffer {
  readonly name: string
  readonly description: string | undefined
  readonly inputSchema: ValueRecord
  readonly approval: Approval | undefined
  readonly repeatable: boolean
  invoke(args: Value, signal: AbortSignal): Promise<Observation>
}

/** The candidate for an offer; `own` is the name that the server gives it. */
export function mcpCandidate(server: McpServer, own: string, offer: McpOffer): Candidate {
  const { name, description, inputSchema, approval, repeatable, invoke } = offer
  const prefixed = `${server.alias}__${own}`
  return {
    otherwise: prefixed,
    yields: true,
    callable: {
      name,
      names: [name === prefixed ? own : prefixed, server.alias],
      kind: 'mcp',
      description,
      inputSchema,
      approval: { kind: 'mcp_tool', over: 'args', approval },
      repeatable,
      invoke,
    },
  }
}
