/** Processes that have left their group and session: they are told by the folder that only they were given. Linux only. */
import { readdirSync, readFileSync } from 'node:fs'
import { ioLimits } from './limits.ts'

/** Ends every process of this user whose environment names a folder, and gives how many there were. Never throws. */
export function endStrays(folder: string): number {
  let ended = 0
  for (let pass = 0; pass < ioLimits.strayPasses; pass++) {
    const found = processesAt(folder)
    if (found.length === 0) break
    for (const id of found) {
      try {
        process.kill(id, 'SIGKILL')
        ended += 1
      } catch {
        // Gone by itself.
      }
    }
  }
  return ended
}

function processesAt(folder: string): number[] {
  let names: string[]
  try {
    names = readdirSync('/proc')
  } catch {
    return []
  }
  return names
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((name) => environmentOf(name).includes(folder))
    .map(Number)
}

/** As it was when the process began; nothing of those of other users, and of those that are only waited for. */
function environmentOf(id: string): string {
  try {
    return readFileSync(`/proc/${id}/environ`, 'latin1')
  } catch {
    return ''
  }
}
