import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, isAbsolute, join, normalize } from 'node:path'
import { ArenaError, type ServerActor } from '@joust/arena'
import { isRecord, own, type Value, writeJson } from '@joust/source'
import type { PresetFile } from '../presets/preset.ts'
import { bridgeWords } from './bridge.ts'
import { fillText, fillValue } from './placeholders.ts'

/** Writes a preset's files to a home directory. */
export async function writePresetFiles(
  files: readonly PresetFile[],
  home: string,
  servers: readonly ServerActor[],
  values: ReadonlyMap<string, string>,
): Promise<void> {
  for (const file of files) {
    const path = normalize(file.path)
    if (isAbsolute(path) || path.startsWith('..'))
      throw new ArenaError('not_wired', `preset file ${file.path} is outside the home directory`)
    await mkdir(dirname(join(home, path)), { recursive: true, mode: 0o700 })
    await writeFile(join(home, path), contentOf(file, servers, values), { mode: 0o600 })
  }
}

function contentOf(file: PresetFile, servers: readonly ServerActor[], values: ReadonlyMap<string, string>): string {
  const ofServer = ({ actor, address }: ServerActor) => new Map([...values, ['name', actor], ['url', address]])
  if (file.text !== undefined) {
    const each = servers.map((server) => fillText(file.each ?? '', quoted(ofServer(server))))
    return [fillText(file.text, quoted(values)), ...each].join('')
  }
  const base = fillValue(file.json ?? {}, values)
  const { servers: key, entry = {} } = file
  if (key === undefined || !isRecord(base)) return `${writeJson(base, 2)}\n`
  const entries = servers.map((server) => [server.actor, fillValue(entry, ofServer(server))] as const)
  const existing: Value = own(base, key) ?? {}
  return `${writeJson({ ...base, [key]: { ...(isRecord(existing) ? existing : {}), ...Object.fromEntries(entries) } }, 2)}\n`
}

/** Escapes values for use inside the quotes of JSON, TOML or YAML. */
function quoted(values: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([...values].map(([name, value]) => [name, JSON.stringify(value).slice(1, -1)]))
}

/** Returns the content of `{mcp_config}` in the most common format. With `stdio`, each server is a command. */
export function mcpConfig(servers: readonly ServerActor[], stdio = false): string {
  return configOf('mcpServers', servers, 'mcp_server', (url) => {
    const [command, ...args] = bridgeWords(url)
    return stdio ? { command, args } : { type: 'http', url }
  })
}

export function a2aConfig(servers: readonly ServerActor[]): string {
  return configOf('agents', servers, 'a2a_server', (url) => ({ url }))
}

function configOf(key: string, servers: readonly ServerActor[], mode: string, entry: (url: string) => Value): string {
  const entries = servers.filter((server) => server.mode === mode).map(({ actor, address }) => [actor, entry(address)])
  return `${writeJson({ [key]: Object.fromEntries(entries) }, 2)}\n`
}
