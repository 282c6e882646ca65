import { existsSync, readdirSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Returns the root of this repository, independent of the location of the compiled file. */
export function repositoryRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'tsconfig.base.json'))) {
    const parent = dirname(folder)
    if (parent === folder) throw new Error('these scripts run only inside the repository')
    folder = parent
  }
  return folder
}

/** Returns the files in a folder whose names end in `ending`, as sorted paths from the root with forward slashes. */
export function filesBelow(root: string, folder: string, ending: string): string[] {
  const start = join(root, folder)
  if (!existsSync(start)) return []
  return readdirSync(start, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort()
}
