/** Opens an address in the user's browser. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * Everybody on a machine can read command lines, and the address holds a token: the browser gets a file that only the user can
 * read, and that leads there. Gives what deletes it.
 */
export function openBrowser(address: string): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'joust-studio-'))
  const file = join(folder, 'open.html')
  writeFileSync(
    file,
    `<!doctype html><meta http-equiv="refresh" content="0;url=${address}"><title>joust studio</title>`,
    {
      mode: 0o600,
    },
  )
  const [command, ...words] = openers[process.platform] ?? ['xdg-open']
  const child = spawn(command, [...words, pathToFileURL(file).href], { stdio: 'ignore', detached: true })
  // Where nothing opens it, the printed address does.
  child.on('error', () => undefined)
  child.unref()
  return () => rmSync(folder, { recursive: true, force: true })
}

const openers: Readonly<Record<string, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['explorer.exe'],
}
