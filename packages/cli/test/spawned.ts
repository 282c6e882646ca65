import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Outcome } from './world.ts'

/** The built command. */
export const binary = fileURLToPath(new URL('../bin/joust.js', import.meta.url))

export interface Spawned extends Outcome {
  readonly signal: string | null
}

/** Runs the built command; `meddle` may act on the process while it runs. */
export function spawnJoust(
  argv: readonly string[],
  cwd: string,
  stdin?: string,
  meddle?: (child: ReturnType<typeof spawn>) => void,
): Promise<Spawned> {
  return new Promise<Spawned>((resolve, reject) => {
    const { FORCE_COLOR: _, ...env } = process.env
    const child = spawn(process.execPath, [binary, ...argv], { cwd, env })
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (chunk) => (stdout += chunk))
    child.stderr.on('data', (chunk) => (stderr += chunk))
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ code: code ?? -1, signal, stdout, stderr }))
    child.stdin.on('error', () => undefined)
    if (stdin !== undefined) child.stdin.end(stdin)
    meddle?.(child)
  })
}
