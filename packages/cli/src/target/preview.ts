/** Describes the planned connection of an actor for `--dry-run`. */

import type { ServerMode } from '@joust/arena'
import { type Actor, extractProtocol, roleOf } from '@joust/oatf'
import type { ResultTarget } from '@joust/results'
import type { TargetOptions } from '../options/run.ts'
import type { ListenPlace } from '../options/values.ts'
import { shownPlace } from './shown-command.ts'

export interface DeclaredPeers {
  readonly mcp_servers: readonly string[]
  readonly remote_agents: readonly string[]
}

/** Describes the connection of an actor, or the reason why there is none. */
export function previewOf(
  actor: Actor,
  options: TargetOptions,
  { kind }: ResultTarget,
  declared: DeclaredPeers | undefined,
): string {
  const { name, mode } = actor
  const { client, server } = previews[kind]
  if (roleOf(mode) !== 'client') return `at ${placeOf(options.listen[name])}${server(actor, options, declared)}`
  const wired = options.wire?.[name]
  return `→ ${wired === undefined ? client(actor, options) : `the actor ${wired}`}`
}

interface Preview {
  client(actor: Actor, options: TargetOptions): string
  /** Describes how the agent gets the URL of a server actor; empty if the agent's configuration contains the URL. */
  server(actor: Actor, options: TargetOptions, declared: DeclaredPeers | undefined): string
}

const served = ({ mode }: Actor) => `the agent, served over ${extractProtocol(mode)}`
const prompted = () => 'the agent, one prompt per message'
const commanded = () => 'the command, one prompt per message'
const noHint = () => ''

const previews: { readonly [kind in ResultTarget['kind']]: Preview } = {
  agent: { client: served, server: peerOfAgent },
  model: { client: served, server: peerOfAgent },
  endpoint: { client: endpointOf, server: noHint },
  command: { client: commanded, server: (actor) => addressFor(actor, '{mcp_config}') },
  acp: { client: commanded, server: (actor) => addressFor(actor, 'the session') },
  http: { client: prompted, server: noHint },
  function: { client: prompted, server: noHint },
  'self-play': { client: () => 'not connected', server: noHint },
  none: { client: served, server: noHint },
}

interface Peer {
  readonly noun: string
  readonly aliases: keyof DeclaredPeers
  /** True if the peer is in the agent's list of MCP servers. */
  readonly isListed: boolean
}

const peers: Readonly<Record<string, Peer>> = {
  mcp_server: { noun: 'MCP server', aliases: 'mcp_servers', isListed: true },
  a2a_server: { noun: 'remote agent', aliases: 'remote_agents', isListed: false },
} satisfies Record<ServerMode, Peer>

function endpointOf({ mode }: Actor, { target }: TargetOptions): string {
  const protocol = extractProtocol(mode)
  const place = Object.entries(target ?? {}).find(([spoken]) => spoken === protocol)?.[1]
  return place === undefined ? `no endpoint: use --target ${protocol}=URL` : shownPlace(place)
}

function addressFor({ name, mode }: Actor, list: string): string {
  return peers[mode]?.isListed === true ? `, in ${list} as ${name}` : `, as {${name}.url}`
}

function peerOfAgent({ name, mode }: Actor, { bind }: TargetOptions, declared: DeclaredPeers | undefined): string {
  const peer = peers[mode]
  if (peer === undefined) return ''
  const bound = Object.entries(bind).find(([, player]) => player === name)?.[0]
  const alias = bound ?? (declared?.[peer.aliases].includes(name) ? name : undefined)
  return alias === undefined
    ? ` → an additional ${peer.noun} of the agent`
    : ` → ${peer.noun} \`${alias}\` of the agent`
}

function placeOf(listen: ListenPlace | undefined): string {
  if (listen === undefined) return '127.0.0.1, any free port'
  return listen === 'stdio' ? listen : `${listen.host ?? '127.0.0.1'}:${listen.port}`
}

export function unplayed(
  actors: readonly Actor[],
  { bind }: TargetOptions,
  declared: DeclaredPeers | undefined,
): string[] {
  const names = new Set(actors.map(({ name }) => name))
  return [...(declared?.mcp_servers ?? []), ...(declared?.remote_agents ?? [])].filter(
    (alias) => !names.has(bind[alias] ?? alias),
  )
}
