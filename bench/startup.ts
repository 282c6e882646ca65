/** How long the command takes to start, against a Node that does nothing. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { median } from './measure.ts'

const joust = fileURLToPath(new URL('../../packages/cli/bin/joust.js', import.meta.url))

interface StartupFigures {
  readonly node: number
  readonly validate: number
}

/** Runs `node -e 0` and `joust validate FILE` in turn and takes the medians. */
export function benchStartup(file: string, rounds: number): StartupFigures {
  const node: number[] = []
  const validate: number[] = []
  for (let round = 0; round < rounds; round++) {
    node.push(time(['-e', '0']))
    validate.push(time([joust, 'validate', file]))
  }
  return { node: median(node), validate: median(validate) }
}

function time(args: readonly string[]): number {
  const start = performance.now()
  const run = spawnSync(process.execPath, args, { stdio: 'ignore' })
  if (run.status !== 0) throw new Error(`${args.join(' ')} exited with ${run.status}`)
  return (performance.now() - start) / 1000
}
