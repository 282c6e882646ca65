/** Assigns real servers to the actors that overlay them. */
import { type Actor, OVERLAY } from '@joust/oatf'
import { own, ownList, ownText } from '@joust/source'
import type { RealServer } from '../model/through.ts'

interface Assignment {
  /** Real servers by actor name. */
  readonly over: ReadonlyMap<string, RealServer>
  /** Real servers that no actor overlays, each with an actor of its own. */
  readonly added: readonly { readonly actor: Actor; readonly server: RealServer }[]
  /** Actors with tools of a server that another actor overlays, one sentence each. */
  readonly notes: readonly string[]
  /** Overlays on tools that the actor's real server does not have, one sentence each. */
  readonly misplaced: readonly string[]
}

/**
 * Assigns the servers. An actor overlays the server with its name, otherwise the free server that shares the most
 * tools. All other actors are separate servers.
 */
export function assignServers(actors: readonly Actor[], servers: readonly RealServer[]): Assignment {
  const over = new Map<string, RealServer>()
  const notes: string[] = []
  const isFree = (server: RealServer) => ![...over.values()].includes(server)
  const mcp = actors.filter(({ mode }) => mode === 'mcp_server')
  for (const { name } of mcp) {
    const server = servers.find((one) => one.name === name)
    if (server !== undefined) over.set(name, server)
  }
  for (const actor of mcp) {
    if (over.has(actor.name)) continue
    const names = toolsOf(actor)
    const [best] = servers
      .map((server) => ({ server, shared: server.tools.filter(({ name }) => names.has(name)).length }))
      .filter(({ shared }) => shared > 0)
      .toSorted((a, b) => Number(isFree(b.server)) - Number(isFree(a.server)) || b.shared - a.shared)
    if (best === undefined) continue
    if (isFree(best.server)) over.set(actor.name, best.server)
    else
      notes.push(
        `${actor.name} has tools of ${best.server.name}, but a different actor overlays that server; ${actor.name} becomes a separate server`,
      )
  }
  const usedNames = new Set(actors.map(({ name }) => name))
  const added = servers.filter(isFree).map((server) => {
    let name = server.name
    for (let number = 2; usedNames.has(name); number++) name = `${server.name}-${number}`
    usedNames.add(name)
    return { actor: { name, mode: 'mcp_server', phases: [{ name: 'real', state: {} }] }, server }
  })
  const misplaced = mcp.flatMap((actor) => {
    const server = over.get(actor.name)
    const toolNames = new Set(server?.tools.map(({ name }) => name))
    const unknownTools = overlaidTools(actor).filter((name) => !toolNames.has(name))
    const where = server === undefined ? 'no real server has this tool' : `${server.name} has no such tool`
    return [...new Set(unknownTools)].map(
      (name) => `${actor.name}: x-joust-overlay on ${name}: ${where}; the document answers`,
    )
  })
  return { over, added, notes, misplaced: servers.length === 0 ? [] : misplaced }
}

function overlaidTools({ phases }: Actor): string[] {
  const tools = phases.flatMap(({ state }) => ownList(state ?? null, 'tools'))
  const laid = tools.filter((tool) => ownList(tool, 'responses').some((entry) => own(entry, OVERLAY) !== undefined))
  return laid.flatMap((tool) => ownText(tool, 'name') ?? [])
}

/** Returns the names of an actor's tools in all phases. */
function toolsOf({ phases }: Actor): ReadonlySet<string> {
  return new Set(
    phases.flatMap(({ state }) => ownList(state ?? null, 'tools').flatMap((tool) => ownText(tool, 'name') ?? [])),
  )
}
