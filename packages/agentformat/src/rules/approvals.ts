/** Every `approval` of a document, with what its keys and placeholders can name. */
import type { Path } from '@joust/source'
import type { Approval, ApprovalConfig } from '../model/condition.ts'
import type { ActionSpace } from '../model/document.ts'

/** What is approved: a call with arguments, the delegation to a local agent, or that to a remote one. */
export type ApprovedAct = 'call' | 'delegation' | 'remote delegation'

/** An approval that is an object. */
export interface ApprovalSite {
  readonly approval: ApprovalConfig
  readonly path: Path
  readonly act: ApprovedAct
}

/** The approvals of an action space that carry a message or a condition. */
export function approvalSites(space: ActionSpace): ApprovalSite[] {
  const found: ApprovalSite[] = []
  const add = (approval: Approval | undefined, path: Path, act: ApprovedAct): void => {
    if (typeof approval === 'object') found.push({ approval, path: [...path, 'approval'], act })
  }
  const root = 'action_space'
  for (const [index, tool] of (space.local_tools ?? []).entries()) {
    add(tool.approval, [root, 'local_tools', index], 'call')
  }
  for (const [index, server] of (space.mcp_servers ?? []).entries()) {
    const path = [root, 'mcp_servers', index]
    add(server.approval, path, 'call')
    for (const [place, tool] of (server.allowed_tools ?? []).entries()) {
      if (typeof tool === 'object') add(tool.approval, [...path, 'allowed_tools', place], 'call')
    }
  }
  for (const [index, agent] of (space.local_agents ?? []).entries()) {
    add(agent.approval, [root, 'local_agents', index], 'delegation')
  }
  for (const [index, agent] of (space.remote_agents ?? []).entries()) {
    const path = [root, 'remote_agents', index]
    add(agent.approval, path, 'remote delegation')
    for (const [place, skill] of (agent.allowed_skills ?? []).entries()) {
      if (typeof skill === 'object') add(skill.approval, [...path, 'allowed_skills', place], 'call')
    }
  }
  return found
}
