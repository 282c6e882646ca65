import type { Path } from '@joust/source'
import type { ActionSpace } from '../../model/document.ts'

/** The lists of an action space, in the order they are documented. */
const spaceLists = [
  'local_tools',
  'mcp_servers',
  'local_agents',
  'remote_agents',
] as const satisfies readonly (keyof ActionSpace)[]

/** The name of a list of an action space. */
export type SpaceList = (typeof spaceLists)[number]

/** An alias and where it stands. */
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
