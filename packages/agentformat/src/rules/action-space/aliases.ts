/** The aliases of an action space: each once in its list, not in two lists, and none that expressions need. */
import type { Path } from '@joust/source'
import type { ActionSpace } from '../../model/document.ts'
import { quote } from '../../model/quote.ts'
import type { AgentRule } from '../rule.ts'

/** an alias occurs once in its list. */
export const uniqueAliases: AgentRule = ({ space }, report) => {
  const seen = new Set<string>()
  for (const { alias, list, path } of aliasSites(space)) {
    const key = `${list} ${alias}`
    if (seen.has(key)) report(path, `the alias ${quote(alias)} appears more than once in ${list}`)
    seen.add(key)
  }
}

/** OPEN-46: lists may share an alias, but then one of the two gets another name in front of the model. */
export const aliasClash: AgentRule = ({ space }, report) => {
  const first = new Map<string, SpaceList>()
  for (const { alias, list, path } of aliasSites(space)) {
    const other = first.get(alias)
    if (other === undefined) first.set(alias, list)
    else if (other !== list) {
      report(path, `the alias ${quote(alias)} is also in ${other}, so a model will see this one under a longer name`)
    }
  }
}

/** OPEN-46: in a path expression `parent` is the agent itself, whatever alias a sub-agent has. */
export const reservedAlias: AgentRule = ({ space }, report) => {
  for (const [index, { alias }] of (space.local_agents ?? []).entries()) {
    if (alias !== 'parent') continue
    const message = 'path expressions cannot reach a local agent called "parent": in them "parent" means this agent'
    report(['action_space', 'local_agents', index, 'alias'], message)
  }
}

/** The lists of an action space, in the order they are documented. */
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
