import { spawnSync } from 'node:child_process'
import { basename, join } from 'node:path'
import { rolldown } from 'rolldown'

interface ImportTimes {
  /** The size of the bare bundle, in characters. */
  readonly size: number
  /** Milliseconds to import the installed package, lowest of all rounds. */
  readonly installed: number
  /** The same for one file with all of its code, dependencies included. */
  readonly bare: number
}

/** Imports a package that is installed in a project, and one file with the same code, alternately in new processes. */
export async function importTimes(name: string, project: string, rounds: number): Promise<ImportTimes> {
  const file = join(project, `bare-${name.replace(/\W+/g, '-')}.mjs`)
  const build = await rolldown({ cwd: project, input: name, platform: 'node', treeshake: false })
  const { output } = await build.write({ file, format: 'es', codeSplitting: false })
  await build.close()
  const installed: number[] = []
  const bare: number[] = []
  for (let round = 0; round < rounds; round++) {
    installed.push(importTime(name, project))
    bare.push(importTime(`./${basename(file)}`, project))
  }
  return { size: output[0].code.length, installed: Math.min(...installed), bare: Math.min(...bare) }
}

function importTime(specifier: string, cwd: string): number {
  const program = `const start = performance.now(); await import('${specifier}'); console.log(performance.now() - start)`
  const argv = ['--input-type=module', '-e', program]
  const { stdout, stderr } = spawnSync(process.execPath, argv, { cwd, encoding: 'utf8' })
  if (stderr !== '') throw new Error(stderr)
  return Number(stdout)
}
