/** `joust studio [FOLDER]`: the web application, for a folder, until it is stopped. */
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { onAbort } from '@joust/io'
import { printable } from '@joust/source'
import { openStudio } from '@joust/studio'
import type { StudioOptions } from '../options/studio.ts'
import { openBrowser } from '../studio/browser.ts'
import { studioWork } from '../studio/work.ts'
import { assets } from '../terminal/assets.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { exitCodeOf } from '../terminal/interruption.ts'
import type { Io } from '../terminal/io.ts'
import { wrongUsage } from '../terminal/wrong-usage.ts'
import { init } from './init.ts'
import { prove } from './prove.ts'
import { attackEach } from './run.ts'

/** Serves until a signal comes. */
export async function studio(word: string | undefined, options: StudioOptions, io: Io): Promise<number> {
  const folder = resolve(io.cwd, word ?? '.')
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    return wrongUsage([`${word}: there is no such folder`], io)
  const work = studioWork({ ...io, cwd: folder }, { attackEach, init, prove })
  return io.stoppable(async (signal) => {
    const opened = await openStudio({ folder, client: assets.studio, port: options.port, work })
    if (!opened.ok) {
      io.stderr.write(`joust: ${printable(opened.error)}\n`)
      return exitCodes.failure
    }
    const { address, close } = opened.value
    io.stdout.write(`${address}\n`)
    io.stderr.write(
      `joust: the studio of ${printable(folder)}; whoever has the address may write there. Ctrl-C ends it\n`,
    )
    const forget = options.noOpen || !io.stderr.isTTY ? undefined : openBrowser(address)
    await new Promise<void>((done) => (signal.aborted ? done() : onAbort(signal, done)))
    await close()
    forget?.()
    return exitCodeOf(signal)
  })
}
