import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'

/**
 * Replaces the content of a file in one step, so that nobody ever sees half of it; mode and links stay. Synchronous:
 * a signal cannot come between writing and renaming. Gives a reason when it fails.
 */
export function replaceFile(path: string, text: string): string | undefined {
  let temporary: string | undefined
  try {
    const target = realpathSync(path)
    // A rename would replace a write-protected file as well.
    accessSync(target, constants.W_OK)
    const name = join(dirname(target), `.${basename(target)}.${process.pid}.tmp`)
    const file = openSync(name, 'wx')
    temporary = name
    try {
      writeFileSync(file, text)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    chmodSync(temporary, statSync(target).mode)
    renameSync(temporary, target)
    return undefined
  } catch (error) {
    if (temporary !== undefined) rmSync(temporary, { force: true })
    return error instanceof Error ? error.message : String(error)
  }
}
