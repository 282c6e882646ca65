import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  fsyncSync,
  openSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { messageOf } from '@joust/source'

/**
 * Replaces the content of a file in one step, so that nobody ever sees half of it; mode, links and a byte order mark
 * stay. Synchronous: a signal cannot come between writing and renaming. Returns a reason when it fails.
 */
export function replaceFile(path: string, text: string): string | undefined {
  let temporary: string | undefined
  try {
    const target = realpathSync(path)
    // A rename would replace even a write-protected file.
    accessSync(target, constants.W_OK)
    const name = join(dirname(target), `.${basename(target)}.${process.pid}.tmp`)
    const file = openSync(name, 'wx')
    temporary = name
    try {
      writeFileSync(file, `${markOf(target)}${text}`)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    chmodSync(temporary, statSync(target).mode)
    renameSync(temporary, target)
    return undefined
  } catch (error) {
    if (temporary !== undefined) rmSync(temporary, { force: true })
    return messageOf(error)
  }
}

/** The byte order mark of a file, which reading leaves out. */
function markOf(path: string): string {
  const start = Buffer.alloc(3)
  const file = openSync(path, 'r')
  try {
    readSync(file, start)
  } finally {
    closeSync(file)
  }
  return start.toString('hex') === 'efbbbf' ? '\ufeff' : ''
}
