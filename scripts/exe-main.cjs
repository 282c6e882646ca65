/**
 * The main program of the single executable: unpacks the command once into a private folder of the user, and starts it
 * there.
 */
const { createHash } = require('node:crypto')
const { existsSync, lstatSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } = require('node:fs')
const { createRequire } = require('node:module')
const { homedir } = require('node:os')
const { dirname, join, sep } = require('node:path')
const { getRawAsset } = require('node:sea')
const { brotliDecompressSync } = require('node:zlib')

const packed = Buffer.from(getRawAsset('files'))
const home = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'joust')
const folder = join(home, `exe-${createHash('sha256').update(packed).digest('hex').slice(0, 16)}`)
try {
  mkdirSync(home, { recursive: true, mode: 0o700 })
  // The files are executed, so a folder that another user can write to is rejected.
  for (const path of [home, ...(existsSync(folder) ? [folder] : [])]) {
    const { uid, mode } = lstatSync(path)
    if (process.getuid !== undefined && (uid !== process.getuid() || (mode & 0o022) !== 0))
      refuse(`${path} is writable by other users`)
  }
  if (!existsSync(folder)) unpack()
} catch (error) {
  refuse(`cannot unpack the command: ${error.message}`)
}
createRequire(folder + sep)('./bin/joust.js')

/** Unpacks completely or not at all, even if two processes start at the same time. */
function unpack() {
  const half = mkdtempSync(`${folder}.`)
  for (const [name, text] of Object.entries(JSON.parse(brotliDecompressSync(packed).toString()))) {
    mkdirSync(dirname(join(half, name)), { recursive: true })
    writeFileSync(join(half, name), text)
  }
  try {
    renameSync(half, folder)
  } catch {
    rmSync(half, { recursive: true })
  }
}

function refuse(reason) {
  process.stderr.write(`joust: ${reason}; set XDG_CACHE_HOME to a folder that only you can write to\n`)
  process.exit(10)
}
