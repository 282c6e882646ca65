/** The requirements of an attack, derived from the document before a run, and their comparison with a target. */
import { type Actor, type KnownMode, type LoadedAttack, MCP_APP, needsFolder, type Plants, roleOf } from '@joust/oatf'
import { a2aNeeds, a2aServerNeeds } from './needs/a2a.ts'
import { agUiNeeds } from './needs/ag-ui.ts'
import { mcpClientNeeds, mcpServerNeeds } from './needs/mcp.ts'
import { type Need, type NeedName, needTable } from './needs/need.ts'

/** The requirements of an actor beyond its protocol. */
export interface ActorNeeds {
  readonly actor: string
  readonly mode: string
  readonly needs: readonly Need[]
}

/** The requirements of an attack. */
export interface AttackNeeds {
  /** Clients that the target must answer. */
  readonly clients: readonly ActorNeeds[]
  /** Servers that the target must reach. */
  readonly servers: readonly ActorNeeds[]
  /** True if the attack writes files to the agent's working folder. */
  readonly files?: true
  /** True if the attack needs a host that renders MCP Apps, because an indicator examines one. */
  readonly apps?: true
}

/** The abilities of a target. */
export interface Abilities {
  /** The target as a noun phrase, such as `a command`. */
  readonly who: string
  /** The client modes that the target can answer. */
  readonly clients: readonly string[]
  /** The server modes that the target can connect to. */
  readonly servers: readonly string[]
  /** Content of client requests that the target supports in addition to text. */
  readonly carries: readonly NeedName[]
  /** Features that the target's MCP client is known to lack. */
  readonly without?: readonly NeedName[]
}

type NeedReader = (actor: Actor, plants: Plants) => readonly Need[]

const readers: Readonly<Record<string, NeedReader>> = {
  ag_ui_client: agUiNeeds,
  a2a_client: a2aNeeds,
  mcp_client: mcpClientNeeds,
  mcp_server: mcpServerNeeds,
  a2a_server: a2aServerNeeds,
} satisfies Record<KnownMode, NeedReader>

/**
 * Returns the requirements of an attack, except those of actors that the caller connects and actors with unknown modes
 * ([OATF §11.5](https://oatf.io/specification/conformance/)).
 */
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
  const files = needsFolder(document.attack) ? { files: true as const } : {}
  const task = attack.task?.ok === true ? [attack.task.value] : []
  const indicators = [document.attack, ...task].flatMap((one) => one.indicators ?? [])
  const apps = indicators.some(({ protocol }) => protocol === MCP_APP) ? { apps: true as const } : {}
  return { clients: of('client'), servers: of('server'), ...files, ...apps }
}

/** Features that an agent served by our runtime does not offer to its clients. */
const notServed: readonly NeedName[] = ['headers', 'push', 'interrupts']

/** Lists features that an agent served as a single MCP tool lacks. `without`: features that its MCP client lacks. */
export function lackingOfServed(needs: AttackNeeds, tool: string, without: readonly NeedName[] = []): string[] {
  const { clients, servers } = needs
  const missing = clients.flatMap(({ actor, mode, needs }) => {
    const lost = needs.filter(
      ({ name, what }) => name === 'methods' || (name === 'server_tools' && what !== undefined && what !== tool),
    )
    if (mode === 'mcp_client' && lost.length > 0)
      return [`the ${mode} actor ${actor} needs ${inWords(lost)}, but the agent is served as a single tool`]
    const unserved = needs.filter(({ name }) => notServed.includes(name))
    return unserved.length === 0
      ? []
      : [`the ${mode} actor ${actor} needs ${inWords(unserved)}, which the agent does not offer`]
  })
  const unreachable = servers.flatMap((server) => unanswered(server, 'the agent', without))
  return [...missing, ...unreachable, ...withoutPlace(needs, 'the agent')]
}

function unanswered({ actor, mode, needs }: ActorNeeds, who: string, without: readonly NeedName[]): string[] {
  const lost = needs.filter(({ name }) => without.includes(name))
  return lost.length === 0 ? [] : [`the ${mode} actor ${actor} needs ${inWords(lost)}, which ${who} does not support`]
}

/** Lists the features that a target lacks, one sentence per actor; empty if the attack is applicable. */
export function lackingOf(needs: AttackNeeds, abilities: Abilities): string[] {
  const { clients, servers } = needs
  const { who, carries, without = [] } = abilities
  const missing = clients.flatMap(({ actor, mode, needs }) => {
    if (!abilities.clients.includes(mode)) return [`${who} cannot answer the ${mode} actor ${actor}`]
    const lost = needs.filter(({ name }) => !carries.includes(name))
    return lost.length === 0 ? [] : [`the ${mode} actor ${actor} needs ${inWords(lost)}, which ${who} does not support`]
  })
  const unreachable = servers.flatMap((server) => {
    const { actor, mode } = server
    if (!abilities.servers.includes(mode)) return [`${who} cannot be connected to the ${mode} actor ${actor}`]
    return unanswered(server, who, without)
  })
  return [...missing, ...unreachable, ...withoutPlace(needs, who)]
}

function withoutPlace({ files, apps }: Pick<AttackNeeds, 'files' | 'apps'>, who: string): string[] {
  return [
    ...(files === true ? [`the attack writes files (x-joust-files), but ${who} has no working folder`] : []),
    ...(apps === true ? [`the attack plants an MCP App, but ${who} does not render apps`] : []),
  ]
}

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
  // In table order, which does not depend on the document.
  const names = Object.keys(needTable)
  return [...byText.values()].sort((a, b) => names.indexOf(a.name) - names.indexOf(b.name))
}
