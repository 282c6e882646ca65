/** Loads the bundle and keeps what V8 made of it for the next start: see docs/decisions/0017-bundle.md. */
const { lstatSync, mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs')
const { createRequire } = require('node:module')
const { homedir } = require('node:os')
const { join, sep } = require('node:path')
const { Script } = require('node:vm')

const folder = join(__dirname, '../bundle')
const fromNode = createRequire(folder + sep)
const ENTRY = 'main.cjs'
/** Modules of Node that take long to open, and are opened when something of theirs is first used. */
const costly = new Set(['node:child_process', 'node:crypto', 'node:net'])
const modules = new Map()
const compiled = []
const cache = cacheFolder()

module.exports = load(ENTRY)

function load(name) {
  const known = modules.get(name)
  if (known !== undefined) return known.exports
  const module = { exports: {} }
  modules.set(name, module)
  const file = join(folder, name)
  const script = compile(name, file)
  script.runInThisContext()(module.exports, requireChunk, module, file, folder, importModule)
  return module.exports
}

/** A script that comes from a cache cannot import; the bundler has put this in place of `import`. */
function importModule(name) {
  return import(name)
}

function requireChunk(name) {
  if (name.startsWith('./')) return load(name.slice(2))
  return costly.has(name) ? new Proxy({}, { get: (_, key) => fromNode(name)[key] }) : fromNode(name)
}

/** The name of a chunk has the hash of its text, so what is kept under it is of this text; only the entry has none. */
function compile(name, filename) {
  const isKept = cache !== undefined && name !== ENTRY
  const cachedData = isKept ? read(join(cache, name)) : undefined
  const text = `(function (exports, require, module, __filename, __dirname, __import) {${readFileSync(filename, 'utf8')}\n})`
  const script = new Script(text, { filename, cachedData })
  if (isKept && script.cachedDataRejected !== false) {
    if (compiled.length === 0) process.once('exit', keep)
    compiled.push([name, script])
  }
  return script
}

function read(file) {
  try {
    return readFileSync(file)
  } catch {
    return undefined
  }
}

/** A cache that cannot be written makes the next start slower, nothing else. */
function keep() {
  try {
    for (const [name, script] of compiled) {
      const file = join(cache, name)
      writeFileSync(`${file}.${process.pid}`, script.createCachedData(), { mode: 0o600 })
      renameSync(`${file}.${process.pid}`, file)
    }
  } catch {}
}

/** A folder of this user, for this Node; undefined where there is none. What is in it is run, so nobody else may write there. */
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
  if (process.platform === 'darwin') return join(homedir(), 'Library/Caches')
  return process.platform === 'win32' && LOCALAPPDATA ? LOCALAPPDATA : join(homedir(), '.cache')
}

function isOurs(path) {
  const found = lstatSync(path)
  if (process.getuid === undefined) return found.isDirectory()
  return found.isDirectory() && found.uid === process.getuid() && (found.mode & 0o022) === 0
}
