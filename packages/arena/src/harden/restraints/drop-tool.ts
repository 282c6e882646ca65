import { closing, type DeclaredServer, localToolsOf, nameOf, offeredBy, serversOf, withEntry } from '../declarations.ts'
import { isAbuse, type SeenCall } from '../evidence.ts'
import type { Restraint, RestraintRow, Scene } from '../restraint.ts'

/** The agent no longer has a tool that it was made to use, or that carried the bait. */
export const dropTool: RestraintRow = {
  name: 'drop-tool',
  summary: 'leave a tool out of the allow list of its server',
  propose: (scene) =>
    scene.through.flatMap((evidence) => {
      const abused = evidence.calls.filter((call) => isAbuse(evidence, call))
      const others = evidence.calls.filter((call) => !isAbuse(evidence, call))
      const called = [...abused, ...others].flatMap(({ actor, tool }) => (tool === undefined ? [] : [{ actor, tool }]))
      const carriers = evidence.attack.attack.plants.baits.flatMap(({ items }) =>
        items.flatMap(({ actor, owner }) => (owner === undefined ? [] : [{ actor, tool: owner }])),
      )
      const local = [...abused, ...others].flatMap((call) => droppedLocal(scene, call))
      return [...[...called, ...carriers].flatMap(({ actor, tool }) => dropped(scene, actor, tool)), ...local]
    }),
}

function droppedLocal(scene: Scene, call: SeenCall): Restraint[] {
  return localToolsOf(scene, call).map(({ agent: { source }, alias }) => ({
    kind: dropTool.name,
    source,
    text: `leave ${alias} out of the local tools`,
    apply: (document) => withEntry(document, 'local_tools', alias, () => undefined),
  }))
}

function dropped(scene: Scene, actor: string, tool: string): Restraint[] {
  return scene
    .aliasesOf(actor)
    .flatMap((alias) => serversOf(scene, alias))
    .flatMap(({ agent, server }: DeclaredServer) => {
      const offered = offeredBy(scene, server.alias)
      const listed = server.allowed_tools?.map(nameOf) ?? offered
      if (!listed.includes(tool)) return []
      return [
        {
          kind: dropTool.name,
          source: agent.source,
          alias: server.alias,
          text: `leave ${tool} out of the tools of ${server.alias}${closing(
            server,
            listed.filter((name) => name !== tool),
          )}`,
          apply: (document) =>
            withEntry(document, 'mcp_servers', server.alias, (now) => ({
              ...now,
              allowed_tools: (now.allowed_tools ?? offered).filter((entry) => nameOf(entry) !== tool),
            })),
        },
      ]
    })
}
