/** Widely used agents, if installed here or on PATH, and attacks on them. */
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { presets } from '@joust/targets'
import { peers } from './documents.ts'

const path = [join(peers, 'node_modules/.bin'), join(peers, '.venv/bin'), ...(process.env.PATH ?? '').split(delimiter)]

/** True if a program is installed. */
export function isInstalled(program: string): boolean {
  return path.some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

/** Returns an environment in which an agent finds its program, and the simulated model in place of its own. */
export function environmentAt(origin: string): Record<string, string> {
  return {
    PATH: path.join(delimiter),
    ...{ OPENAI_API_KEY: 'no-key-here', OPENAI_BASE_URL: `${origin}/v1` },
    ...{ GEMINI_API_KEY: 'no-key-here', GOOGLE_GEMINI_BASE_URL: origin },
  }
}

/** Presets that have been tested. Qwen requires a newer Node.js. */
export const agents = presets.filter(({ name, tried }) => tried !== undefined && name !== 'qwen')

for (const { name, command } of agents)
  if (!isInstalled(command[0] ?? '')) process.stderr.write(`SKIPPED: ${name} is not installed and was not attacked\n`)
