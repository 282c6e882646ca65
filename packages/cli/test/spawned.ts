import { spawn } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Outcome } from './world.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** The compiler's output, file by file. */
export const compiled = join(root, 'packages/cli/bin/joust.js')

/**
 * The command as packed by `npm test`, which starts in half the time; after a change to the sources, the compiler's
 * output.
 */
export const binary = packedCommand() ?? compiled

function packedCommand(): string | undefined {
  const folder = join(root, 'node_modules/.cache/joust/command')
  const bundle = join(folder, 'bundle/main.cjs')
  if (!existsSync(bundle)) return undefined
  const { mtimeMs } = statSync(bundle)
  const isOlder = ['packages', 'library'].some((name) => changedSince(join(root, name), mtimeMs))
  return isOlder ? undefined : join(folder, 'bin/joust.js')
}

function changedSince(folder: string, time: number): boolean {
  return readdirSync(folder, { withFileTypes: true }).some(({ name }) => {
    if (['node_modules', 'dist', 'test', 'bundle'].includes(name)) return false
    const path = join(folder, name)
    const found = statSync(path)
    return found.isDirectory() ? changedSince(path, time) : found.mtimeMs > time
  })
}

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
