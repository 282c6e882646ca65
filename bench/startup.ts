/** Measures the start-up time of the command, compared with an empty Node.js process. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

interface StartupFigures {
  readonly node: number
  readonly validate: number
}

/** Bundles the command into a folder with the layout of its package. Returns the path of the program. */
export function packCommand(folder: string): string {
  time([join(root, 'scripts/dist/bundle.js'), folder])
  return join(folder, 'bin/joust.js')
}

/** Warms up, runs `node -e 0` and `joust validate FILE` alternately, and returns the fastest time of each. */
export function benchStartup(joust: string, file: string, rounds: number): StartupFigures {
  const node: number[] = []
  const validate: number[] = []
  time([joust, 'validate', file])
  for (let round = 0; round < rounds; round++) {
    node.push(time(['-e', '0']))
    validate.push(time([joust, 'validate', file]))
  }
  return { node: Math.min(...node), validate: Math.min(...validate) }
}

function time(args: readonly string[]): number {
  const start = performance.now()
  const run = spawnSync(process.execPath, args, { stdio: 'ignore' })
  if (run.status !== 0) throw new Error(`${args.join(' ')} exited with ${run.status}`)
  return (performance.now() - start) / 1000
}
