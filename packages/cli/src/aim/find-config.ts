import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { rewriteConfig } from '@joust/authoring'
import { readBounded, strictText } from '@joust/io'
import { configPlaces } from '../options/authoring.ts'

/**
 * Returns the first configuration in a folder that lists servers. If none does, returns an `mcp.json` file, so that the
 * error in it is shown.
 */
export function findConfig(folder: string, isAllowed: (path: string) => boolean = existsSync): string | undefined {
  const places = configPlaces.map((place) => resolve(folder, place)).filter(isAllowed)
  return places.find(hasServers) ?? places.find((path) => /mcp\.json$/.test(path))
}

function hasServers(path: string): boolean {
  try {
    const read = rewriteConfig(path, strictText(readBounded(path, CONFIG_BYTES)).text, () => undefined)
    return read.ok && read.value.servers.length > 0
  } catch {
    return false
  }
}

export const CONFIG_BYTES = 4 * 1024 * 1024

/**
 * True if the file belongs to the user. Required of automatically found configurations, because they start commands.
 */
export function isOwnFile(path: string): boolean {
  if (!existsSync(path)) return false
  const user = process.getuid?.()
  const { uid } = statSync(path)
  return user === undefined || user === uid || uid === 0 || user === 0
}
