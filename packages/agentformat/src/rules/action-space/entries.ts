/** What the lists of an action space name, and where. */
import type { Path } from '@joust/source'
import type { ActionSpace, McpToolRef, SkillRef } from '../../model/document.ts'

/** The lists of an action space, in the order they are documented. */
const spaceLists = [
  'local_tools',
  'mcp_servers',
  'local_agents',
  'remote_agents',
] as const satisfies readonly (keyof ActionSpace)[]

/** The name of a list of an action space. */
export type SpaceList = (typeof spaceLists)[number]

interface AliasSite {
  readonly alias: string
  readonly list: SpaceList
  readonly path: Path
}

/** The aliases of an action space, list by list. */
export function aliasSites(space: ActionSpace): AliasSite[] {
  return spaceLists.flatMap((list) =>
    (space[list] ?? []).map(({ alias }, index) => ({ alias, list, path: ['action_space', list, index, 'alias'] })),
  )
}

interface AllowList {
  readonly path: Path
  readonly owner: string
  readonly entries: readonly { readonly name: string; readonly path: Path }[]
}

/** The allow lists of MCP servers and remote agents. */
export function allowLists(space: ActionSpace): AllowList[] {
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
