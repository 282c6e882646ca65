/** Rules for aliases, allow lists and server references in an action space (Agent Format). */
import type { Path } from '@joust/source'
import type { ActionSpace, McpToolRef, SkillRef } from '../model/document.ts'
import { quote } from '../model/quote.ts'
import type { AgentRule } from './rule.ts'

/** an alias occurs only once in its list. */
export const uniqueAliases: AgentRule = ({ space }, report) => {
  const keys = new Set<string>()
  for (const { alias, list, path } of aliasSites(space)) {
    const key = `${list} ${alias}`
    if (keys.has(key)) report(path, `duplicate alias ${quote(alias)} in ${list}`)
    keys.add(key)
  }
}

/** OPEN-46: two lists may contain the same alias, but models then see one of the two under a different name. */
export const aliasClash: AgentRule = ({ space }, report) => {
  const first = new Map<string, SpaceList>()
  for (const { alias, list, path } of aliasSites(space)) {
    const other = first.get(alias)
    if (other === undefined) first.set(alias, list)
    else if (other !== list) {
      report(path, `the alias ${quote(alias)} is also used in ${other}; models see this entry under a longer name`)
    }
  }
}

/** OPEN-46: in path expressions, `parent` is always the agent itself. */
export const reservedAlias: AgentRule = ({ space }, report) => {
  for (const [index, { alias }] of (space.local_agents ?? []).entries()) {
    if (alias !== 'parent') continue
    const message = 'the alias "parent" is reserved: path expressions use it for this agent'
    report(['action_space', 'local_agents', index, 'alias'], message)
  }
}

/** The lists of an action space, in specification order. */
const spaceLists = [
  'local_tools',
  'mcp_servers',
  'local_agents',
  'remote_agents',
] as const satisfies readonly (keyof ActionSpace)[]

type SpaceList = (typeof spaceLists)[number]

interface AliasSite {
  readonly alias: string
  readonly list: SpaceList
  readonly path: Path
}

function aliasSites(space: ActionSpace): AliasSite[] {
  return spaceLists.flatMap((list) =>
    (space[list] ?? []).map(({ alias }, index) => ({ alias, list, path: ['action_space', list, index, 'alias'] })),
  )
}

/**
 * OPEN-44: an allow list contains each tool or skill only once, because a duplicate could have a different approval.
 */
export const uniqueEntries: AgentRule = ({ space }, report) => {
  for (const { entries, owner } of allowLists(space)) {
    const names = new Set<string>()
    for (const { name, path } of entries) {
      if (names.has(name)) report(path, `duplicate entry ${quote(name)} in the allow list of ${quote(owner)}`)
      names.add(name)
    }
  }
}

/** OPEN-44: an empty allow list allows nothing. A missing allow list allows everything. */
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

/** OPEN-44: an empty `server_ref` is treated as missing. */
export const emptyServerRef: AgentRule = ({ space }, report) => {
  for (const [index, server] of (space.mcp_servers ?? []).entries()) {
    if (server.server_ref !== '') continue
    const message = 'empty server_ref: the alias is used instead; remove the field'
    report(['action_space', 'mcp_servers', index, 'server_ref'], message)
  }
}
