/** The allow lists of MCP servers and remote agents are not empty and have no duplicates (Agent Format). */
import type { Path } from '@joust/source'
import type { ActionSpace, McpToolRef, SkillRef } from '../../model/document.ts'
import { quote } from '../../model/quote.ts'
import type { AgentRule } from '../rule.ts'

/** OPEN-44: an allow list has each tool or skill once; otherwise it could have two approvals. */
export const uniqueEntries: AgentRule = ({ space }, report) => {
  for (const { entries, owner } of allowLists(space)) {
    const names = new Set<string>()
    for (const { name, path } of entries) {
      if (names.has(name)) report(path, `duplicate entry ${quote(name)} in the allow list of ${quote(owner)}`)
      names.add(name)
    }
  }
}

/** OPEN-44: an empty allow list allows nothing; a missing one allows everything. */
export const emptyAllowList: AgentRule = ({ space }, report) => {
  for (const { path, owner, entries } of allowLists(space)) {
    if (entries.length > 0) continue
    report(path, `empty allow list: nothing of ${quote(owner)} can be used; remove the list to allow everything`)
  }
}

interface AllowList {
  readonly path: Path
  readonly owner: string
  readonly entries: readonly { readonly name: string; readonly path: Path }[]
}

/** The allow lists of MCP servers and remote agents. */
function allowLists(space: ActionSpace): AllowList[] {
  const servers = (space.mcp_servers ?? []).flatMap(({ alias, allowed_tools: tools }, index) =>
    tools === undefined ? [] : [allowList(alias, ['action_space', 'mcp_servers', index, 'allowed_tools'], tools)],
  )
  const agents = (space.remote_agents ?? []).flatMap(({ alias, allowed_skills: skills }, index) =>
    skills === undefined ? [] : [allowList(alias, ['action_space', 'remote_agents', index, 'allowed_skills'], skills)],
  )
  return [...servers, ...agents]
}

function allowList(owner: string, path: Path, refs: readonly (McpToolRef | SkillRef)[]): AllowList {
  const entries = refs.map((ref, index) => {
    if (typeof ref === 'string') return { name: ref, path: [...path, index] }
    return 'name' in ref
      ? { name: ref.name, path: [...path, index, 'name'] }
      : { name: ref.id, path: [...path, index, 'id'] }
  })
  return { path, owner, entries }
}
