import { inputFile } from '../input/discover.ts'
import { type Io, tell } from '../terminal/io.ts'
import type { Project } from './read.ts'

/** Prints which code is loaded for a project file, even with `--quiet`, because the file itself can set that option. */
export function tellCode(module: string, project: Project, io: Io): void {
  const { name } = inputFile(module, io.cwd, true)
  tell(io, `loading code: ${name}, specified in ${project.name}`)
}
