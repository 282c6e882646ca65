import type { McpServer } from '@joust/agentformat'
import { closing, localToolsOf, nameOf, offeredBy, playedBy, withEntry } from '../declarations.ts'
import { isAbuse, type SeenCall } from '../evidence.ts'
import type { Basis, Restraint, RestraintRow } from '../restraint.ts'

/** The removal of a tool that the attack called or that contained the bait. */
export const dropTool: RestraintRow = {
  name: 'drop-tool',
  summary: 'remove a tool from the allow list of its server',
  propose: (basis) =>
    basis.through.flatMap((evidence) => {
      const abused = evidence.calls.filter((call) => isAbuse(evidence, call))
      const others = evidence.calls.filter((call) => !isAbuse(evidence, call))
      const called = [...abused, ...others].flatMap(({ actor, tool }) => (tool === undefined ? [] : [{ actor, tool }]))
      const carriers = evidence.attack.attack.plants.baits.flatMap(({ items }) =>
        items.flatMap(({ actor, owner }) => (owner === undefined ? [] : [{ actor, tool: owner }])),
      )
      const local = [...abused, ...others].flatMap((call) => droppedLocal(basis, call))
      return [...[...called, ...carriers].flatMap(({ actor, tool }) => dropped(basis, actor, tool)), ...local]
    }),
}

function droppedLocal(basis: Basis, call: SeenCall): Restraint[] {
  return localToolsOf(basis, call).map(({ agent: { source }, entry: { alias } }) => ({
    kind: dropTool.name,
    source,
    text: `remove ${alias} from the local tools`,
    apply: (document) => withEntry(document, 'local_tools', alias, () => undefined),
  }))
}

function dropped(basis: Basis, actor: string, tool: string): Restraint[] {
  return playedBy(basis, 'mcp_servers', actor).flatMap(({ agent: { source }, entry: server }) => {
    const { alias } = server
    const offered = offeredBy(basis, alias)
    const listed = server.allowed_tools?.map(nameOf) ?? offered
    if (!listed.includes(tool)) return []
    const remaining = listed.filter((name) => name !== tool)
    const text = `remove ${tool} from the tools of ${alias}${closing(server, remaining)}`
    const without = (now: McpServer): McpServer => {
      return { ...now, allowed_tools: (now.allowed_tools ?? offered).filter((entry) => nameOf(entry) !== tool) }
    }
    const apply: Restraint['apply'] = (document) => withEntry(document, 'mcp_servers', alias, without)
    return [{ kind: dropTool.name, source, alias, text, apply }]
  })
}
