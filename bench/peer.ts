/** Runs the same work with the published Rust crate `oatf`, if cargo is installed. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../peers/oatf-rs', import.meta.url))

export interface PeerResult {
  readonly seconds: number
  readonly count: number
}

/** Builds the peer. On failure, returns undefined and prints the reason. */
export function buildPeer(): ((args: readonly string[]) => PeerResult) | undefined {
  const build = spawnSync('cargo', ['build', '--release', '--quiet'], { cwd: folder, encoding: 'utf8' })
  if (build.error !== undefined || build.status !== 0) {
    console.error(`peer oatf-rs skipped: ${build.error?.message ?? build.stderr.trim()}`)
    return undefined
  }
  return (args) => {
    const run = spawnSync(`${folder}/target/release/oatf-rs-peer`, args, { encoding: 'utf8' })
    if (run.status !== 0) throw new Error(`the peer failed: ${run.stderr}`)
    const result: PeerResult = JSON.parse(run.stdout)
    return result
  }
}
