/** Paths of the files that are included with the command. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The assets of the packed command are next to its bundle, in the same folders as in the repository. */
const packed = join(import.meta.dirname, 'assets')
const root = existsSync(packed) ? packed : join(import.meta.dirname, '../../../..')

export const assets = {
  root,
  library: join(root, 'library'),
  /** The defended agent of the demo. */
  tightAgent: join(root, 'examples/defences/tight.agf.yaml'),
  /** The web page of the studio, once built. */
  studio: join(root, 'packages/studio/dist/web'),
  /** The script that connects Joust to an agent that is a Python function. */
  pythonAgent: join(root, 'examples/targets/python/joust_agent.py'),
  /** Scripts that extract benchmark data. */
  importScripts: join(root, 'packages/authoring/python'),
  /** An example for each execution policy, which `joust agent new` copies. */
  agents: join(root, 'examples/agents'),
  /** The agent that the demo hardens, and the attacks on it. */
  hardening: join(root, 'examples/hardening'),
} as const
