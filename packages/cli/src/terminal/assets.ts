/** The files that come with the command: the only module that knows where they are. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The packed command has them beside its bundle, in the folders that they have in the repository. */
const packed = new URL('./assets/', import.meta.url)
const root = existsSync(packed) ? packed : new URL('../../../../', import.meta.url)

/** Absolute paths, by what they are for. */
export const assets = {
  root: fileURLToPath(root),
  library: fileURLToPath(new URL('library', root)),
  /** The defended agent of the demo. */
  tightAgent: fileURLToPath(new URL('examples/defences/tight.agf.yaml', root)),
  /** The page of the studio, as it is built. */
  studio: fileURLToPath(new URL('packages/studio/dist/web', root)),
  /** What stands between joust and an agent that is a function of Python. */
  pythonAgent: fileURLToPath(new URL('examples/targets/python/joust_agent.py', root)),
  /** The agent that the demo hardens, and the attacks on it. */
  hardening: fileURLToPath(new URL('examples/hardening', root)),
  manifest: fileURLToPath(new URL('packages/cli/package.json', root)),
} as const
