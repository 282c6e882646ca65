/** Reads the MCP servers in a configuration, in a form that can be started. */
import { basename, resolve } from 'node:path'
import { fillEntry, type ListedServer, rewriteConfig, type ServerEntry } from '@joust/authoring'
import { defined, ok, type Result } from '@joust/source'
import type { Io } from '../terminal/io.ts'

export function readServers(
  path: string,
  text: string,
): Result<{ readonly entries: readonly ServerEntry[]; readonly notes: readonly string[] }, string> {
  const read = rewriteConfig(path, text, () => undefined)
  if (!read.ok) return read
  const { servers } = read.value
  const notes = servers.filter(({ isOff }) => isOff === true).map(({ name }) => `${name}: disabled in ${path}`)
  return ok({ entries: servers.filter(({ isOff }) => isOff !== true), notes })
}

/** Returns the entries with expanded variables, and notes on servers that cannot be reached. */
export function placesOf(
  entries: readonly ServerEntry[],
  io: Io,
): { readonly places: readonly ListedServer[]; readonly notes: readonly string[] } {
  const places: ListedServer[] = []
  const notes: string[] = []
  for (const entry of entries) {
    const filled = fillEntry(entry, { ...folderVariables(io), ...io.env })
    if (!filled.ok) notes.push(`${entry.name}: ${filled.error}`)
    else if (filled.value.isOldTransport === true) notes.push(`${entry.name}: the HTTP+SSE transport is not supported`)
    else if (!filled.value.command?.[0] && filled.value.url === undefined)
      notes.push(`${entry.name}: expected a command or a URL`)
    else
      places.push({
        ...filled.value,
        cwd: resolve(io.cwd, filled.value.cwd ?? ''),
        env: { ...homeOf(io), ...filled.value.env },
      })
  }
  return { places, notes }
}

/** Returns the variables that VS Code and Cursor expand. */
function folderVariables({ cwd, env }: Io): Readonly<Record<string, string>> {
  const userHome = env.HOME ?? env.USERPROFILE
  return { workspaceFolder: cwd, workspaceFolderBasename: basename(cwd), cwd, ...defined({ userHome }) }
}

/** Returns the variables that contain the user's folders, which programs such as npx and uvx need. */
function homeOf({ env }: Io): Record<string, string> {
  const names = ['HOME', 'USER', 'LOGNAME', 'SHELL', 'APPDATA', 'LOCALAPPDATA', 'USERPROFILE']
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])))
}
