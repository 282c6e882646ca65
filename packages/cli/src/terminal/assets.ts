/** The files that come with the command: the only module that knows where they are. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The packed command has them beside its bundle, in the same folders as in the repository. */
const packed = join(import.meta.dirname, 'assets')
const root = existsSync(packed) ? packed : join(import.meta.dirname, '../../../..')

/** Absolute paths, by what they are for. */
export const assets = {
  root,
  library: join(root, 'library'),
  /** The defended agent of the demo. */
  tightAgent: join(root, 'examples/defences/tight.agf.yaml'),
  /** The page of the studio, once built. */
  studio: join(root, 'packages/studio/dist/web'),
  /** What connects joust to an agent that is a Python function. */
  pythonAgent: join(root, 'examples/targets/python/joust_agent.py'),
  /** The agent that the demo hardens, and the attacks on it. */
  hardening: join(root, 'examples/hardening'),
  manifest: join(root, 'packages/cli/package.json'),
} as const

/** The version of this package. */
export function version(): string {
  // Our own file.
  return (JSON.parse(readFileSync(assets.manifest, 'utf8')) as { readonly version: string }).version
}
