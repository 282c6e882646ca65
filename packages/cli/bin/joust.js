#!/usr/bin/env node
/** In a checkout, runs what the compiler wrote; in a package, the bundle: see docs/decisions/0017-bundle.md. */
const { existsSync, lstatSync, mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs')
const { join } = require('node:path')
const { Script } = require('node:vm')

const folder = join(__dirname, '../bundle')
const ENTRY = 'main.cjs'
const WRONG_USAGE = 64
const FAILURE = 10
/** Slow modules, loaded on first use. */
const costly = /^(?:node:(?:child_process|crypto|fs\/promises|net)$|\.\/re2js-)/
/** The first chunk of every command. */
const first = /^start-/
const modules = new Map()
const compiled = []
let cache

// Node would exit with 1, which means "exploited".
start(process.argv.slice(2)).catch(({ message }) => {
  process.stderr.write(`joust: cannot start: ${message}\n`)
  process.exitCode = FAILURE
})

async function start(argv) {
  if (existsSync(join(__dirname, '../src'))) {
    if (!existsSync(join(__dirname, '../dist/main.js'))) throw new Error('this checkout is not built: npm run build')
    return (await import('../dist/main.js')).main(argv)
  }
  cache = cacheFolder()
  return load(ENTRY).main(argv)
}

function load(name) {
  const known = modules.get(name)
  if (known !== undefined) return known.exports
  const module = { exports: {} }
  modules.set(name, module)
  const file = join(folder, name)
  const script = compile(name, file)
  script.runInThisContext()(module.exports, requireLater, module, file, folder, importModule)
  return module.exports
}

/** A script from a code cache cannot import; the bundler replaces `import` with this function. */
function importModule(name) {
  return import(name)
}

function requireLater(name) {
  return costly.test(name) ? new Proxy({}, { get: (_, key) => requireNow(name)[key] }) : requireNow(name)
}

function requireNow(name) {
  return name.startsWith('./') ? load(name.slice(2)) : require(name)
}

/** The name of a chunk contains the hash of its text and is the cache key; only the entry has none. */
function compile(name, filename) {
  const kept = cache === undefined || name === ENTRY ? undefined : join(cache, keptName(name))
  const cachedData = kept === undefined ? undefined : read(kept)
  // The bundler leaves only ASCII, which is read many times faster than UTF-8.
  const text = `(function (exports, require, module, __filename, __dirname, __import) {${readFileSync(filename, 'latin1')}\n})`
  const script = new Script(text, { filename, cachedData })
  if (kept !== undefined && script.cachedDataRejected !== false) {
    if (compiled.length === 0) process.once('exit', keep)
    compiled.push([kept, script])
  }
  return script
}

/** V8 caches the functions that have run; for the first chunk these depend on the command. */
function keptName(name) {
  const [, , command = ''] = process.argv
  return first.test(name) && /^[a-z-]+$/.test(command) ? `${name}.${command}` : name
}

function read(file) {
  try {
    return readFileSync(file)
  } catch {
    return undefined
  }
}

/** A cache that cannot be written only makes the next start slower. */
function keep() {
  try {
    // A word that is not a command gets no cache files.
    if (process.exitCode === WRONG_USAGE) return
    for (const [file, script] of compiled) {
      writeFileSync(`${file}.${process.pid}`, script.createCachedData(), { mode: 0o600 })
      renameSync(`${file}.${process.pid}`, file)
    }
  } catch {}
}

/** The cache folder of this user and Node version, if any. Its content is executed, so only the user may write to it. */
function cacheFolder() {
  if (process.env.NODE_DISABLE_COMPILE_CACHE) return undefined
  const home = join(cacheHome(), 'joust')
  const path = join(home, `${process.version}-${process.arch}`)
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    return [home, path].every(isOurs) ? path : undefined
  } catch {
    return undefined
  }
}

function cacheHome() {
  const { LOCALAPPDATA, XDG_CACHE_HOME } = process.env
  if (XDG_CACHE_HOME) return XDG_CACHE_HOME
  const home = require('node:os').homedir()
  if (process.platform === 'darwin') return join(home, 'Library/Caches')
  return process.platform === 'win32' && LOCALAPPDATA ? LOCALAPPDATA : join(home, '.cache')
}

function isOurs(path) {
  const found = lstatSync(path)
  if (process.getuid === undefined) return found.isDirectory()
  return found.isDirectory() && found.uid === process.getuid() && (found.mode & 0o022) === 0
}
