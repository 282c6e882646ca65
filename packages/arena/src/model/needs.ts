/** What an attack needs from its target, and what a target has of it: read from the document before anything starts. */
import { type Actor, type KnownMode, type LoadedAttack, type Plants, roleOf } from '@joust/oatf'
import { a2aNeeds } from './needs/a2a.ts'
import { agUiNeeds } from './needs/ag-ui.ts'
import { mcpClientNeeds, mcpServerNeeds } from './needs/mcp.ts'
import { type Need, type NeedName, needTable } from './needs/need.ts'

/** An actor and what it needs beyond a peer that speaks its protocol. */
export interface ActorNeeds {
  readonly actor: string
  readonly mode: string
  readonly needs: readonly Need[]
}

/** What an attack needs. */
export interface AttackNeeds {
  /** The clients that the target has to answer. */
  readonly clients: readonly ActorNeeds[]
  /** The servers that the target has to reach. */
  readonly servers: readonly ActorNeeds[]
}

/** What a target has to offer, as data. */
export interface Abilities {
  /** In a sentence: `a command`. */
  readonly who: string
  /** The modes of clients that it can answer. */
  readonly clients: readonly string[]
  /** The modes of servers that it can be told of. */
  readonly servers: readonly string[]
  /** What it receives of a client's requests besides text. */
  readonly carries: readonly NeedName[]
  /** What its MCP client is known to lack; what is not known is tried. */
  readonly without?: readonly NeedName[]
}

type NeedReader = (actor: Actor, plants: Plants) => readonly Need[]

const readers: Readonly<Record<string, NeedReader>> = {
  ag_ui_client: agUiNeeds,
  a2a_client: a2aNeeds,
  mcp_client: mcpClientNeeds,
  mcp_server: mcpServerNeeds,
  a2a_server: () => [],
} satisfies Record<KnownMode, NeedReader>

/** What an attack needs, without actors that the caller connects elsewhere or whose mode nobody plays (§11.5). */
export function needsOf(attack: LoadedAttack, isElsewhere: (actor: Actor) => boolean = () => false): AttackNeeds {
  const { document, plants } = attack
  const actors = document.attack.execution.actors.filter((actor) => !isElsewhere(actor))
  const of = (role: 'client' | 'server') =>
    actors
      .filter(({ mode }) => Object.hasOwn(readers, mode) && roleOf(mode) === role)
      .map((actor) => {
        const needs = distinct(readers[actor.mode]?.(actor, plants) ?? [])
        return { actor: actor.name, mode: actor.mode, needs }
      })
  return { clients: of('client'), servers: of('server') }
}

/**
 * What an agent that is served over MCP as one tool lacks: everything that only another server would have, and what its
 * own client is `without`.
 */
export function lackingOfServed(
  { clients, servers }: AttackNeeds,
  tool: string,
  without: readonly NeedName[] = [],
): string[] {
  const missing = clients.flatMap(({ actor, mode, needs }) => {
    const lost = needs.filter(
      ({ name, what }) => name === 'methods' || (name === 'server_tools' && what !== undefined && what !== tool),
    )
    if (mode !== 'mcp_client' || lost.length === 0) return []
    return [`the ${mode} actor ${actor} needs ${inWords(lost)}, and an agent is a server with one tool, itself`]
  })
  return [...missing, ...servers.flatMap((server) => unanswered(server, 'the agent', without))]
}

/** What nobody behind the client of a target answers or reads, as a sentence. */
function unanswered({ actor, mode, needs }: ActorNeeds, who: string, without: readonly NeedName[]): string[] {
  const lost = needs.filter(({ name }) => without.includes(name))
  return lost.length === 0 ? [] : [`the ${mode} actor ${actor} needs ${inWords(lost)}, which ${who} does not have`]
}

/** What a target lacks, a sentence for each actor; empty when the attack can be run. */
export function lackingOf({ clients, servers }: AttackNeeds, abilities: Abilities): string[] {
  const { who, carries, without = [] } = abilities
  const missing = clients.flatMap(({ actor, mode, needs }) => {
    if (!abilities.clients.includes(mode)) return [`${who} cannot answer the ${mode} actor ${actor}`]
    const lost = needs.filter(({ name }) => !carries.includes(name))
    return lost.length === 0 ? [] : [`the ${mode} actor ${actor} needs ${inWords(lost)}, which ${who} does not carry`]
  })
  const unreachable = servers.flatMap((server) => {
    const { actor, mode } = server
    if (!abilities.servers.includes(mode)) return [`${who} cannot be pointed at the ${mode} actor ${actor}`]
    return unanswered(server, who, without)
  })
  return [...missing, ...unreachable]
}

/** Each kind once, with the names of everything needed of it. */
function inWords(needs: readonly Need[]): string {
  return [...new Set(needs.map(({ name }) => name))]
    .map((name) => {
      const named = needs.flatMap((need) => (need.name === name && need.what !== undefined ? [need.what] : []))
      return named.length === 0 ? needTable[name] : `${needTable[name]} (${named.join(', ')})`
    })
    .join(', ')
}

function distinct(needs: readonly Need[]): readonly Need[] {
  const byText = new Map(needs.map((need) => [`${need.name} ${need.what ?? ''}`, need]))
  // In the order of the table, so that sentences do not depend on the order of a document.
  const names = Object.keys(needTable)
  return [...byText.values()].sort((a, b) => names.indexOf(a.name) - names.indexOf(b.name))
}
