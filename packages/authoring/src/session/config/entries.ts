/** Rewrites MCP servers in the configurations of various agents. */
import {
  defined,
  err,
  isList,
  isRecord,
  ok,
  own,
  ownText,
  type Result,
  readJson,
  setOwn,
  type Value,
  type ValueRecord,
  withLimits,
  writeJson,
} from '@joust/source'
import type { ServerEntry } from './server-entry.ts'
import { rewriteToml } from './toml.ts'

interface ConfigForm {
  readonly name: string
  /** The path to the object that contains the servers. */
  readonly at: readonly string[]
  /** The keys of the URL, in order of preference. */
  readonly url: readonly string[]
  readonly env: string
}

/** JSON formats, distinguished by the key that contains the servers. Codex uses TOML. */
// biome-ignore format: a row is a line
const forms: readonly ConfigForm[] = [
  { name: 'mcpServers', at: ['mcpServers'], url: ['httpUrl', 'url', 'serverUrl'], env: 'env' },
  { name: 'VS Code', at: ['servers'], url: ['url'], env: 'env' },
  { name: 'VS Code', at: ['mcp', 'servers'], url: ['url'], env: 'env' },
  { name: 'opencode', at: ['mcp'], url: ['url'], env: 'environment' },
]

interface RewrittenConfig {
  readonly text: string
  readonly servers: readonly ServerEntry[]
}

/**
 * Rewrites the servers in a configuration. `change` returns a new command or URL for an entry, or undefined to leave it
 * unchanged. All other keys are preserved.
 */
export function rewriteConfig(
  path: string,
  text: string,
  change: (entry: ServerEntry) => Pick<ServerEntry, 'command' | 'url'> | undefined,
): Result<RewrittenConfig, string> {
  const servers: ServerEntry[] = []
  const changed = (entry: ServerEntry): ServerEntry | undefined => {
    servers.push(entry)
    const place = entry.isOff === true ? undefined : change(entry)
    return place && { ...entry, ...place }
  }
  if (path.endsWith('.toml')) {
    const rewritten = rewriteToml(text, changed)
    return servers.length === 0
      ? err('no MCP servers: expected a table [mcp_servers.NAME]')
      : ok({ text: rewritten, servers })
  }
  const config = readJsonWithComments(text)
  if (!config.ok) return config
  const form = forms.find(({ at }) => isRecord(along(config.value, at)))
  if (form === undefined) return err(NO_SERVERS)
  const value = replacedAlong(config.value, form.at, (mapping) => {
    const entries = isRecord(mapping) ? Object.entries(mapping) : []
    const result: ValueRecord = {}
    for (const [name, entry] of entries) setOwn(result, name, rewriteEntry(name, entry, form, changed))
    return result
  })
  return ok({ text: `${writeJson(value, 2)}\n`, servers })
}

const NO_SERVERS = 'no MCP servers: expected "mcpServers" (most agents), "servers" (VS Code) or "mcp" (opencode)'

function along(value: Value, path: readonly string[]): Value | undefined {
  return path.reduce<Value | undefined>((at, key) => (at === undefined ? undefined : own(at, key)), value)
}

function replacedAlong(value: Value, [key, ...rest]: readonly string[], change: (value: Value) => Value): Value {
  if (key === undefined) return change(value)
  if (!isRecord(value)) return value
  return { ...value, [key]: replacedAlong(own(value, key) ?? {}, rest, change) }
}

function rewriteEntry(
  name: string,
  entry: Value,
  form: ConfigForm,
  change: (entry: ServerEntry) => ServerEntry | undefined,
): Value {
  if (!isRecord(entry)) return entry
  const command = commandIn(entry)
  const urlKey = form.url.find((key) => ownText(entry, key) !== undefined)
  const type = ownText(entry, 'type')
  const isSse =
    type === 'sse' || (type === undefined && form.name === 'mcpServers' && urlKey === 'url' && isSsePath(entry))
  const changed = change({
    name,
    ...(command !== undefined && { command }),
    ...(urlKey !== undefined && { url: ownText(entry, urlKey) ?? '' }),
    ...defined({ cwd: ownText(entry, 'cwd') }),
    env: textsIn(own(entry, form.env)),
    headers: textsIn(own(entry, 'headers')),
    ...(isSse && { isOldTransport: true }),
    ...((own(entry, 'disabled') === true || own(entry, 'enabled') === false) && { isOff: true }),
  })
  if (changed === undefined) return entry
  const [program = '', ...args] = changed.command ?? []
  if (command !== undefined && isList(own(entry, 'command'))) return { ...entry, command: [program, ...args] }
  if (command !== undefined) return { ...entry, command: program, args }
  return urlKey === undefined ? entry : { ...entry, [urlKey]: changed.url ?? '' }
}

function isSsePath(entry: Value): boolean {
  return /\/sse\/?(?:\?|$)/.test(ownText(entry, 'url') ?? '')
}

function commandIn(entry: Value): readonly string[] | undefined {
  const command = own(entry, 'command')
  if (isList(command)) return command.length > 0 ? command.map(String) : undefined
  const args = own(entry, 'args')
  return typeof command === 'string' ? [command, ...(isList(args) ? args.map(String) : [])] : undefined
}

function textsIn(mapping: Value | undefined): Readonly<Record<string, string>> {
  const pairs = isRecord(mapping) ? Object.entries(mapping) : []
  return Object.fromEntries(pairs.filter((pair): pair is [string, string] => typeof pair[1] === 'string'))
}

/** Maximum size of a configuration in bytes. */
const CONFIG_BYTES = 4 * 1024 * 1024

/** Parses JSON with comments and trailing commas. Positions in messages refer to the original text. */
function readJsonWithComments(text: string): Result<Value, string> {
  const read = readJson(withoutComments(text), withLimits({ yamlBytes: CONFIG_BYTES }))
  return read.ok ? ok(read.value) : err(read.error[0]?.message ?? 'not JSON')
}

/** Matches a string, a comment, or a comma before a closing bracket. */
const TOKENS = /"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\/|,(?=(?:\s|\/\/[^\n]*\n|\/\*[\s\S]*?\*\/)*[}\]])/g

/** Replaces comments and trailing commas with spaces, so that positions do not change. */
function withoutComments(text: string): string {
  const plain = text.startsWith('\uFEFF') ? text.slice(1) : text
  return plain.replace(TOKENS, (token) => (token.startsWith('"') ? token : token.replaceAll(/[^\n]/g, ' ')))
}
