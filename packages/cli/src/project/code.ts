import { inputFile } from '../input/discover.ts'
import { type Io, tell } from '../terminal/io.ts'
import type { Project } from './read.ts'

/** Says which code is loaded, and who asks for it; `--quiet` does not hide it, since the file could set that itself. */
export function tellCode(module: string, project: Project, io: Io): void {
  const { name } = inputFile(module, io.cwd, true)
  tell(io, `loading the code ${name}, which ${project.name} names`)
}
