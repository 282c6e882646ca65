/** Resolves arguments to files: a file, a folder, a glob, or `-` for standard input. */
import { existsSync, realpathSync, type Stats, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, relative, resolve, sep } from 'node:path'
import type { RESULTS_HOME } from '@joust/results/files'
import { compareCodePoints, didYouMean, err, ok, type Result, unwrap } from '@joust/source'
import { assets } from '../terminal/assets.ts'
import { expandBraces, globBase, hasGlob, matchesGlob, mayMatchBelow } from './glob.ts'
import { STDIN } from './read.ts'

export interface InputFile {
  /** File name for output: relative to the working directory, with `/`. */
  readonly name: string
  /** The path to open; `-` for standard input. */
  readonly path: string
  /** True if the user named the file. Other files in a folder are skipped if they are not documents. */
  readonly named: boolean
  /** The reason a folder was not searched; absent for files. */
  readonly folder?: keyof typeof folderNotes
}

export const folderNotes = {
  unlisted: 'the folder cannot be listed',
  linked: 'not searched: links to folders are not followed; specify this path to include the files in the folder',
} as const

/** Returns the files sorted by name in code-point order, without duplicates, or the errors in the paths. */
export async function discover(paths: readonly string[], cwd: string): Promise<Result<InputFile[], string[]>> {
  const faults: string[] = []
  const files = new Map<string, InputFile>()
  for (const path of paths) {
    const result = await filesFor(path, cwd)
    if (typeof result === 'string') faults.push(result)
    else for (const file of result) if (file.named || !files.has(file.path)) files.set(file.path, file)
  }
  if (faults.length > 0) return err(faults)
  return ok(namedApart([...files.values()]).sort((a, b) => compareCodePoints(a.name, b.name)))
}

/** Replaces names that collide, such as `<stdin>` or the name of a library file, with absolute paths. */
function namedApart(files: readonly InputFile[]): InputFile[] {
  const last = new Map(files.map(({ name, path }) => [name, path]))
  const first = new Map(files.map(({ name, path }) => [name, path] as const).reverse())
  const isShared = ({ name }: InputFile) => first.get(name) !== last.get(name)
  return files.map((file) => (file.path !== STDIN && isShared(file) ? { ...file, name: slashed(file.path) } : file))
}

/** Like `discover`, for commands that only read: a path may also be in the built-in library or the name of a suite. */
export async function discoverAttacks(paths: readonly string[], cwd: string): Promise<Result<InputFile[], string[]>> {
  const words = await Promise.all(paths.map((path) => (isSuite(path, cwd) ? suiteFiles(path) : orLibrary(path, cwd))))
  const faults = words.flatMap((word) => (typeof word === 'object' && !word.ok ? [word.error] : []))
  if (faults.length > 0) return err(faults)
  const files = words.flatMap((word) => (typeof word === 'string' ? word : unwrap(word)))
  return discover(files, cwd)
}

/** True for a suite name such as `@quick`, unless the folder contains a file with that name. */
export function isSuite(path: string, folder: string): boolean {
  return path.startsWith('@') && !existsSync(resolve(folder, path))
}

async function suiteFiles(word: string): Promise<Result<string[], string>> {
  const { librarySuites } = await import('@joust/library')
  const suite = librarySuites.find(({ name }) => `@${name}` === word)
  if (suite !== undefined) return ok(suite.attacks.map(({ file }) => join(assets.library, file)))
  const names = librarySuites.map(({ name }) => `@${name}`)
  return err(`unknown suite ${word}; available: ${names.join(', ')}.${didYouMean(word, names)}`)
}

/** Resolves `library/…` (`.oatf.yaml` may be omitted) to the built-in library, unless the folder has a `library`. */
export function orLibrary(path: string, folder: string): string {
  if (!/^library(?:\/|$)/.test(path) || existsSync(resolve(folder, 'library'))) return path
  const inside = join(assets.root, path)
  const match = [inside, `${inside}.oatf.yaml`].find((file) => existsSync(file))
  return match ?? (hasGlob(path) ? inside : path)
}

async function filesFor(given: string, cwd: string): Promise<InputFile[] | string> {
  if (given === STDIN) return [{ name: '<stdin>', path: STDIN, named: true }]
  const path = resolve(cwd, given)
  const about = lookAt(path)
  if (!(about instanceof Error)) {
    if (!about.isDirectory()) return [inputFile(path, cwd, true)]
    const files = await walk(path, isCandidate, () => true)
    const inside = files.map((file) => ({ ...inputFile(file.path, cwd, false), ...file }))
    return inside.length > 0 ? inside : `${given}: the folder contains no .yaml, .yml or .json file`
  }
  if (hasGlob(given)) return globFiles(given, cwd)
  // A file that exists but cannot be accessed is a finding, not wrong usage.
  return about.code === 'ENOENT' || about.code === 'ENOTDIR' ? `${given}: no such file` : [inputFile(path, cwd, true)]
}

async function globFiles(given: string, cwd: string): Promise<InputFile[] | string> {
  const patterns = expandBraces(given.split(sep).join('/'))
  if (patterns === undefined) return `${given}: the braces expand to too many patterns`
  const files: InputFile[] = []
  for (const pattern of patterns) {
    const base = globBase(pattern)
    const root = resolve(cwd, base)
    if (!isDirectory(root)) continue
    const rest = base === '.' ? pattern.replace(/^\.\//, '') : pattern.slice(base.length).replace(/^\//, '')
    const mayHold = (name: string) => mayMatchBelow(rest, name)
    const matches = await walk(root, (name) => matchesGlob(rest, name), mayHold)
    files.push(...matches.map((file) => ({ ...inputFile(file.path, cwd, true), ...file })))
  }
  return files.length > 0 ? files : `${given}: no file matches`
}

interface Walked {
  readonly path: string
  readonly folder?: keyof typeof folderNotes
}

// Imports only the type, which is a literal: the arena is slow to load.
const results: typeof RESULTS_HOME = 'joust-results'

/** Skips hidden folders, `node_modules` and results. Reports links to folders, which could loop or leave the folder. */
async function walk(
  root: string,
  wanted: (name: string) => boolean,
  mayHold: (folder: string) => boolean,
): Promise<Walked[]> {
  const results: Walked[] = []
  const pending = [root]
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => undefined)
    if (entries === undefined) {
      results.push({ path: folder, folder: 'unlisted' })
      continue
    }
    for (const entry of entries) {
      const path = join(folder, entry.name)
      const name = slashed(relative(root, path))
      const isLinked = entry.isSymbolicLink() && isDirectory(path)
      if (entry.isDirectory() || isLinked) {
        if (isSkipped(entry.name)) continue
        if (!isLinked) pending.push(path)
        else if (mayHold(name) && !isSearched(path, root)) results.push({ path, folder: 'linked' })
      } else if (wanted(name) && (entry.isFile() || isFileLink(path))) results.push({ path })
    }
  }
  return results
}

function isSkipped(name: string): boolean {
  return name.startsWith('.') || [results, 'node_modules'].includes(name)
}

/** True for a link to a folder that is searched anyway. */
function isSearched(link: string, root: string): boolean {
  const inside = slashed(relative(realpathSync(root), realpathSync(link)))
  return inside === '' || !inside.split('/').some(isSkipped)
}

/** True for a link to a file, or a broken link, which is reported when it is read. Pipes and devices are skipped. */
function isFileLink(path: string): boolean {
  const about = lookAt(path)
  return about instanceof Error || about.isFile()
}

export function isDirectory(path: string): boolean {
  const about = lookAt(path)
  return !(about instanceof Error) && about.isDirectory()
}

function lookAt(path: string): Stats | NodeJS.ErrnoException {
  try {
    return statSync(path)
  } catch (error) {
    // `stat` throws only system errors.
    return error as NodeJS.ErrnoException
  }
}

function isCandidate(name: string): boolean {
  return /\.(?:yaml|yml|json)$/i.test(name) && !name.startsWith('.')
}

export function inputFile(path: string, cwd: string, named: boolean): InputFile {
  const near = slashed(relative(cwd, path))
  const whole = slashed(path)
  const shipped = slashed(relative(assets.library, path))
  if (near !== shipped && !shipped.startsWith('../')) return { name: `library/${shipped}`, path, named }
  // An absolute path is clearer than a long chain of `../`.
  return { name: near === '' || (near.startsWith('../') && near.length > whole.length) ? whole : near, path, named }
}

function slashed(path: string): string {
  return path.split(sep).join('/')
}
