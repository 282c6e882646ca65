import { serversOf, withEntry } from '../declarations.ts'
import type { Restraint, RestraintRow } from '../restraint.ts'

/** Nothing of a server or remote agent may be used. Its entry stays, so that everybody sees that this is intended. */
export const denyServer: RestraintRow = {
  name: 'deny-server',
  summary: 'allow nothing of a server or remote agent',
  propose: (scene) =>
    scene.through.flatMap(({ actors }) =>
      actors.flatMap((actor) => {
        const aliases = scene.aliasesOf(actor)
        const servers = aliases
          .flatMap((alias) => serversOf(scene, alias))
          .filter(({ server }) => server.allowed_tools?.length !== 0)
          .map(
            ({ agent, server: { alias } }): Restraint => ({
              kind: denyServer.name,
              source: agent.source,
              alias,
              text: `allow no tool of ${alias}`,
              apply: (document) =>
                withEntry(document, 'mcp_servers', alias, (server) => ({ ...server, allowed_tools: [] })),
            }),
          )
        return [...servers, ...aliases.flatMap((alias) => remotes(scene, alias))]
      }),
    ),
}

function remotes({ agents }: Parameters<RestraintRow['propose']>[0], alias: string): Restraint[] {
  return agents.flatMap(({ document, source }) =>
    (document.action_space?.remote_agents ?? [])
      .filter((remote) => remote.alias === alias && remote.allowed_skills?.length !== 0)
      .map(() => ({
        kind: denyServer.name,
        source,
        alias,
        text: `allow no skill of ${alias}`,
        apply: (edited) => withEntry(edited, 'remote_agents', alias, (remote) => ({ ...remote, allowed_skills: [] })),
      })),
  )
}
