/** Agents that people use every day, as far as they are installed here or on PATH, and attacks on them. */
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { presets } from '@joust/targets'
import { peers } from './documents.ts'

const path = [join(peers, 'node_modules/.bin'), join(peers, '.venv/bin'), ...(process.env.PATH ?? '').split(delimiter)]

/** Whether a program is installed. */
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

/** An environment in which an agent finds its program and, in place of its model, the one at an address. */
export function environmentAt(origin: string): Record<string, string> {
  return {
    PATH: path.join(delimiter),
    ...{ OPENAI_API_KEY: 'no-key-here', OPENAI_BASE_URL: `${origin}/v1` },
    ...{ GEMINI_API_KEY: 'no-key-here', GOOGLE_GEMINI_BASE_URL: origin },
  }
}

/** The presets that were tried; Qwen needs a newer Node. */
export const agents = presets.filter(({ name, tried }) => tried !== undefined && name !== 'qwen')

for (const { name, command } of agents)
  if (!isInstalled(command[0] ?? ''))
    process.stderr.write(`SKIPPED: ${name} is not installed, so nobody has attacked it\n`)
