import type { Agent, AgentDocument } from '@joust/agentformat'
import { playedBy, withEntry } from '../declarations.ts'
import type { Restraint, RestraintRow } from '../restraint.ts'

/** A denial of all tools of a server or remote agent. The entry is kept to show that the denial is intentional. */
export const denyServer: RestraintRow = {
  name: 'deny-server',
  summary: 'deny all tools of a server or remote agent',
  propose: (basis) => {
    const actors = basis.through.flatMap((evidence) => evidence.actors)
    return actors.flatMap((actor) => [
      ...playedBy(basis, 'mcp_servers', actor)
        .filter(({ entry }) => entry.allowed_tools?.length !== 0)
        .map(({ agent, entry: { alias } }) =>
          denying(agent, alias, 'tool', (document) =>
            withEntry(document, 'mcp_servers', alias, (server) => ({ ...server, allowed_tools: [] })),
          ),
        ),
      ...playedBy(basis, 'remote_agents', actor)
        .filter(({ entry }) => entry.allowed_skills?.length !== 0)
        .map(({ agent, entry: { alias } }) =>
          denying(agent, alias, 'skill', (document) =>
            withEntry(document, 'remote_agents', alias, (remote) => ({ ...remote, allowed_skills: [] })),
          ),
        ),
    ])
  },
}

function denying(
  { source }: Agent,
  alias: string,
  what: string,
  apply: (document: AgentDocument) => AgentDocument,
): Restraint {
  return { kind: denyServer.name, source, alias, text: `allow no ${what} of ${alias}`, apply }
}
