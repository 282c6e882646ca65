/** Finds every `approval` of a document with a message or a condition. */
import type { Path } from '@joust/source'
import type { Approval, ApprovalConfig } from '../model/condition.ts'
import type { ActionSpace } from '../model/document.ts'

/** The approved act: a call with arguments, or the delegation to a local or a remote agent. */
export type ApprovedAct = 'call' | 'delegation' | 'remote delegation'

/** An approval that is an object. */
export interface ApprovalSite {
  readonly approval: ApprovalConfig
  readonly path: Path
  readonly act: ApprovedAct
}

/** The approvals of an action space that are objects. */
export function approvalSites(space: ActionSpace): ApprovalSite[] {
  const { local_tools, mcp_servers = [], local_agents, remote_agents = [] } = space
  return [
    ...sitesIn(local_tools, ['local_tools'], 'call'),
    ...sitesIn(mcp_servers, ['mcp_servers'], 'call'),
    ...mcp_servers.flatMap(({ allowed_tools: tools }, at) =>
      sitesIn(tools, ['mcp_servers', at, 'allowed_tools'], 'call'),
    ),
    ...sitesIn(local_agents, ['local_agents'], 'delegation'),
    ...sitesIn(remote_agents, ['remote_agents'], 'remote delegation'),
    ...remote_agents.flatMap(({ allowed_skills: skills }, at) =>
      sitesIn(skills, ['remote_agents', at, 'allowed_skills'], 'call'),
    ),
  ]
}

function sitesIn(
  entries: readonly (string | { readonly approval?: Approval })[] = [],
  path: Path,
  act: ApprovedAct,
): ApprovalSite[] {
  return entries.flatMap((entry, index) => {
    const approval = typeof entry === 'string' ? undefined : entry.approval
    if (typeof approval !== 'object') return []
    return [{ approval, path: ['action_space', ...path, index, 'approval'], act }]
  })
}
