/** What an actor would be to a target, in a sentence: for `--dry-run`. */
import type { ResultTarget } from '@joust/arena'
import { type Actor, extractProtocol, roleOf } from '@joust/oatf'
import type { TargetOptions } from '../options/run.ts'
import type { ListenPlace } from '../options/values.ts'
import { shownPlace } from './shown-command.ts'

/** What previews need to know about an agent file: the aliases that it declares. */
export interface DeclaredPeers {
  readonly mcp_servers: readonly string[]
  readonly remote_agents: readonly string[]
}

/** How an actor would be wired, or why it could not be. */
export function previewOf(
  actor: Actor,
  options: TargetOptions,
  { kind }: ResultTarget,
  declared: DeclaredPeers | undefined,
): string {
  const { name, mode } = actor
  if (roleOf(mode) === 'client') return clientPreview(actor, options, kind)
  const place = `at ${placeOf(options.listen[name])}`
  if (kind === 'acp' && mode === 'mcp_server') return `${place}, in the session as ${name}`
  if (kind === 'command' || kind === 'acp')
    return mode === 'mcp_server' ? `${place}, in {mcp_config} as ${name}` : `${place}, as {${name}.url}`
  if (kind !== 'agent' && kind !== 'model') return place
  const noun = mode === 'mcp_server' ? 'MCP server' : 'remote agent'
  const aliases = declared?.[mode === 'mcp_server' ? 'mcp_servers' : 'remote_agents'] ?? []
  const bound = Object.entries(options.bind).find(([, player]) => player === name)?.[0]
  const alias = bound ?? (aliases.includes(name) ? name : undefined)
  return alias === undefined
    ? `${place} → one more ${noun} of the agent`
    : `${place} → ${noun} \`${alias}\` of the agent`
}

function clientPreview({ name, mode }: Actor, { wire, target }: TargetOptions, kind: ResultTarget['kind']): string {
  const protocol = extractProtocol(mode)
  const wired = wire?.[name]
  if (wired !== undefined) return `→ the actor ${wired}`
  if (kind === 'self-play') return '→ nothing: it is not wired'
  if (kind === 'endpoint') {
    const place = Object.entries(target ?? {}).find(([spoken]) => spoken === protocol)?.[1]
    return `→ ${place === undefined ? `nothing: give --target ${protocol}=URL` : shownPlace(place)}`
  }
  if (kind === 'command' || kind === 'acp') return '→ the command, a prompt for each message'
  if (kind === 'http' || kind === 'function') return '→ the agent, a prompt for each message'
  return `→ the agent, served over ${protocol}`
}

function placeOf(listen: ListenPlace | undefined): string {
  if (listen === undefined) return '127.0.0.1, any free port'
  return listen === 'stdio' ? listen : `${listen.host ?? '127.0.0.1'}:${listen.port}`
}

/** Aliases of an agent file that no actor of an attack would play. */
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
