/** Loads documents and runs processes. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type LoadedAttack, load } from '@joust/oatf'

export const peers = fileURLToPath(new URL('..', import.meta.url))

/** Returns the library documents that attack agents. The others attack servers. */
export function libraryDocuments(): readonly string[] {
  return readdirSync(join(peers, '../library'))
    .filter((file) => file.endsWith('.oatf.yaml'))
    .map((file) => file.replace('.oatf.yaml', ''))
    .filter((name) => !name.startsWith('server-') || name === 'server-instructions-takeover')
}

/** Loads an attack from this folder or from the repository. */
export function read(path: string): LoadedAttack {
  const loaded = load(readFileSync(new URL(path, import.meta.url), 'utf8'))
  if (!loaded.ok) throw new Error(loaded.error.map(({ message }) => message).join('\n'))
  return loaded.value
}

/** Runs Node.js in this folder. Rejects with its output if it fails or takes too long. */
export function runNode(args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child: ChildProcess = spawn(process.execPath, args, { cwd: peers })
    let output = ''
    const take = (chunk: Buffer) => {
      output += chunk
    }
    child.stdout?.on('data', take)
    child.stderr?.on('data', take)
    const timer = setTimeout(() => child.kill('SIGKILL'), 90_000)
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      if (code === 0) resolve(output)
      else reject(new Error(`${args.join(' ')} ended with ${code ?? signal}: ${output}`))
    })
  })
}
