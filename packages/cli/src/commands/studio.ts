/** `joust studio [FOLDER]`: serves the web application for a folder. */
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { onAbort, openTemporaryFolder } from '@joust/io'
import { openStudio, type RunRequest, type StudioWork } from '@joust/studio'
import { placeholderEnvironment } from '../fleet/environment.ts'
import { withFleet } from '../fleet/open.ts'
import { isDirectory } from '../input/discover.ts'
import type { StudioOptions } from '../options/services.ts'
import { campaignWork } from '../studio/campaigns.ts'
import { prepareCampaign, studioWork } from '../studio/work.ts'
import { assets } from '../terminal/assets.ts'
import { exitCodeOf, giveUp, type Io, tell, wrongUsage } from '../terminal/io.ts'
import { specOf } from './campaign/run.ts'
import { init } from './init.ts'
import { prove } from './prove.ts'

export async function studio(word: string | undefined, options: StudioOptions, io: Io): Promise<number> {
  const folder = resolve(io.cwd, word ?? '.')
  if (!isDirectory(folder)) return wrongUsage([`${word}: no such folder`], io)
  const here = { ...io, cwd: folder }
  const { queue } = options
  if (queue === undefined) return serve(folder, studioWork(here, { init, prove }), options, io)
  const { databaseLabel } = await import('@joust/fleet')
  return withFleet(queue, io, (fleet) => {
    const spec = async (request: RunRequest) => {
      const prepared = await prepareCampaign(request, queue, { ...here, env: placeholderEnvironment(io.env) })
      return prepared.ok ? specOf(prepared.value.prepared, prepared.value.io) : prepared
    }
    const campaigns = campaignWork({ fleet, place: databaseLabel(queue), specOf: spec })
    return serve(folder, studioWork(here, { init, prove }, campaigns), options, io)
  })
}

function serve(folder: string, work: StudioWork, options: StudioOptions, io: Io): Promise<number> {
  return io.stoppable(async (signal) => {
    const opened = await openStudio({ folder, client: assets.studio, port: options.port, work })
    if (!opened.ok) return giveUp(opened.error, io)
    const { address, close } = opened.value
    io.stdout.write(`${address}\n`)
    tell(io, `serving ${folder}; the URL gives write access to this folder. Press Ctrl-C to stop`)
    const forget = options.noOpen || !io.stderr.isTTY ? undefined : openBrowser(address)
    await new Promise<void>((done) => (signal.aborted ? done() : onAbort(signal, done)))
    await close()
    await forget?.()
    return exitCodeOf(signal)
  })
}

/**
 * Opens the browser with a private file that redirects to the URL, because the URL contains a token and command lines
 * are visible to all users of a machine. Returns a function that deletes the file.
 */
function openBrowser(address: string): () => Promise<void> {
  const folder = openTemporaryFolder('joust-studio-')
  const file = join(folder.path, 'open.html')
  const page = `<!doctype html><meta http-equiv="refresh" content="0;url=${address}"><title>joust studio</title>`
  writeFileSync(file, page, { mode: 0o600 })
  const [command, ...words] = openers[process.platform] ?? ['xdg-open']
  const child = spawn(command, [...words, pathToFileURL(file).href], { stdio: 'ignore', detached: true })
  // Without a browser, the user still has the printed address.
  child.on('error', () => undefined)
  child.unref()
  return () => folder.remove()
}

const openers: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['explorer.exe'],
}
