/** Folders that are made with all that lead to them. */
import { mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Makes a folder, and those above it, where they are not there; nobody else can look into those. Throws what the system says. Step by step: where a file system
 * makes no folders and says that there is none (`/proc`), Node's own recursive way tries for ever.
 */
export function makeFolder(path: string): void {
  const missing: string[] = []
  for (let folder = resolve(path); !isFolder(folder); folder = dirname(folder)) missing.unshift(folder)
  for (const folder of missing) {
    try {
      mkdirSync(folder, 0o700)
    } catch (thrown) {
      // Somebody else may have made it meanwhile.
      if (!isFolder(folder)) throw thrown
    }
  }
}

/** Whether something is there; the root always is. */
function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true || dirname(path) === path
}
