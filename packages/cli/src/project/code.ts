/** Code that a project file names: nobody should have to guess that it runs. */
import { printable } from '@joust/source'
import { inputFile } from '../input/discover.ts'
import type { Io } from '../terminal/io.ts'
import type { Project } from './read.ts'

/** Says what is loaded, and who says so; `--quiet` does not hide it, since the file could ask for that itself. */
export function tellCode(module: string, project: Project, io: Io): void {
  const { name } = inputFile(module, io.cwd, true)
  io.stderr.write(`joust: loading the code ${printable(name)}, which ${printable(project.name)} names\n`)
}
