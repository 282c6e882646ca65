/** Tools that the host of an agent brings: who declares them, and how an entry is changed. */
import type { Agent, AgentDocument, LocalTool } from '@joust/agentformat'
import type { SeenCall } from './evidence.ts'
import type { Scene } from './restraint.ts'

/** The agents of the graph that declare the tool of a call. */
export function localToolsOf(
  { agents }: Scene,
  { local, tool }: SeenCall,
): { readonly agent: Agent; readonly alias: string }[] {
  if (local !== true || tool === undefined) return []
  return agents
    .filter(({ document }) => (document.action_space?.local_tools ?? []).some(({ alias }) => alias === tool))
    .map((agent) => ({ agent, alias: tool }))
}

/** The document with a tool changed, or without it. */
export function withLocalTool(
  document: AgentDocument,
  alias: string,
  change: (tool: LocalTool) => LocalTool | undefined,
): AgentDocument {
  const { action_space = {} } = document
  const local_tools = (action_space.local_tools ?? []).flatMap((one) =>
    one.alias === alias ? (change(one) ?? []) : one,
  )
  return { ...document, action_space: { ...action_space, local_tools } }
}
