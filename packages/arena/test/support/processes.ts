/** Processes that a test waits for. */
import { readFileSync } from 'node:fs'

/** Whether a process is running; a zombie is not. */
export function lives(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return process.platform !== 'linux' || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

/** Resolves when a process is gone. */
export async function dead(pid: number): Promise<void> {
  while (lives(pid)) await new Promise((resolve) => setImmediate(resolve))
}
