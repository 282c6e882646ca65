/** The aliases of an action space are unique and not reserved (Agent Format). */
import type { Path } from '@joust/source'
import type { ActionSpace } from '../../model/document.ts'
import { quote } from '../../model/quote.ts'
import type { AgentRule } from '../rule.ts'

/** an alias occurs once in its list. */
export const uniqueAliases: AgentRule = ({ space }, report) => {
  const keys = new Set<string>()
  for (const { alias, list, path } of aliasSites(space)) {
    const key = `${list} ${alias}`
    if (keys.has(key)) report(path, `duplicate alias ${quote(alias)} in ${list}`)
    keys.add(key)
  }
}

/** OPEN-46: lists may share an alias, but then models see one of the two under another name. */
export const aliasClash: AgentRule = ({ space }, report) => {
  const first = new Map<string, SpaceList>()
  for (const { alias, list, path } of aliasSites(space)) {
    const other = first.get(alias)
    if (other === undefined) first.set(alias, list)
    else if (other !== list) {
      report(path, `the alias ${quote(alias)} is also used in ${other}; models see this one under a longer name`)
    }
  }
}

/** OPEN-46: in a path expression `parent` is always the agent itself. */
export const reservedAlias: AgentRule = ({ space }, report) => {
  for (const [index, { alias }] of (space.local_agents ?? []).entries()) {
    if (alias !== 'parent') continue
    const message = 'the alias "parent" is reserved: in path expressions it is this agent'
    report(['action_space', 'local_agents', index, 'alias'], message)
  }
}

/** The lists of an action space, in the order of the specification. */
const spaceLists = [
  'local_tools',
  'mcp_servers',
  'local_agents',
  'remote_agents',
] as const satisfies readonly (keyof ActionSpace)[]

/** The name of a list of an action space. */
type SpaceList = (typeof spaceLists)[number]

interface AliasSite {
  readonly alias: string
  readonly list: SpaceList
  readonly path: Path
}

/** The aliases of an action space, list by list. */
function aliasSites(space: ActionSpace): AliasSite[] {
  return spaceLists.flatMap((list) =>
    (space[list] ?? []).map(({ alias }, index) => ({ alias, list, path: ['action_space', list, index, 'alias'] })),
  )
}
