/** What an actor would be to a target, in words: for `--dry-run`. */
import type { ResultTarget } from '@joust/arena'
import { type Actor, extractProtocol, roleOf } from '@joust/oatf'
import type { TargetWords } from './options.ts'
import { readPairs } from './words.ts'

/** What previews need to know of an agent file: the aliases that it declares. */
export interface DeclaredPeers {
  readonly mcp_servers: readonly string[]
  readonly remote_agents: readonly string[]
}

/** How an actor would be wired, or why it could not be. */
export function previewOf(
  { name, mode }: Actor,
  words: TargetWords,
  { kind }: ResultTarget,
  declared: DeclaredPeers | undefined,
): string {
  const pairs = (option: string, list: readonly string[] | undefined) => {
    const read = readPairs(option, list)
    return read.ok ? read.value : {}
  }
  const protocol = extractProtocol(mode)
  if (roleOf(mode) === 'client') {
    if (kind === 'self-play') return `→ the actor ${pairs('--wire', words.wire)[name] ?? '(not wired)'}`
    if (kind === 'endpoint')
      return `→ ${pairs('--target', words.target)[protocol] ?? `nothing: give --target ${protocol}=URL`}`
    if (kind === 'command') return '→ nothing: a command has no address, so this attack ends in an error'
    return `→ the agent, served over ${protocol}`
  }
  const place = `at ${pairs('--listen', words.listen)[name] ?? '127.0.0.1, any free port'}`
  if (kind === 'command')
    return mode === 'mcp_server' ? `${place}, in {mcp_config} as ${name}` : `${place}, as {${name}.url}`
  if (kind !== 'agent' && kind !== 'model') return place
  const noun = mode === 'mcp_server' ? 'MCP server' : 'remote agent'
  const aliases = declared?.[mode === 'mcp_server' ? 'mcp_servers' : 'remote_agents'] ?? []
  const bound = Object.entries(pairs('--bind', words.bind)).find(([, actor]) => actor === name)?.[0]
  const alias = bound ?? (aliases.includes(name) ? name : undefined)
  return alias === undefined
    ? `${place} → one more ${noun} of the agent`
    : `${place} → ${noun} \`${alias}\` of the agent`
}

/** Aliases of an agent file that no actor of an attack would play. */
export function unplayed(actors: readonly Actor[], words: TargetWords, declared: DeclaredPeers | undefined): string[] {
  const read = readPairs('--bind', words.bind)
  const bound = read.ok ? read.value : {}
  const names = new Set(actors.map(({ name }) => name))
  return [...(declared?.mcp_servers ?? []), ...(declared?.remote_agents ?? [])].filter(
    (alias) => !names.has(bound[alias] ?? alias),
  )
}
