/** Arguments to files: a file, a folder, a glob, or `-` for standard input. */
import { existsSync, realpathSync, type Stats, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, relative, resolve, sep } from 'node:path'
import type { RESULTS_HOME } from '@joust/arena'
import { compareCodePoints, err, ok, type Result } from '@joust/source'
import { assets } from '../terminal/assets.ts'
import { expandBraces, globBase, hasGlob, matchesGlob, mayMatchBelow } from './glob.ts'
import { STDIN } from './read.ts'

/** A file to look at. */
export interface InputFile {
  /** How output names it: relative to the working directory, with `/`. */
  readonly name: string
  /** What to open; `-` for standard input. */
  readonly path: string
  /** Whether the user named it; otherwise it was found in a folder, where only documents are wanted. */
  readonly named: boolean
  /** Set for a folder whose files are missing here, with the reason: there is nothing to open. */
  readonly folder?: keyof typeof folderNotes
}

/** Why the files of a folder are missing. */
export const folderNotes = {
  unlisted: 'the folder cannot be listed',
  linked: 'not searched, since it is a link to another folder; name it to include its files',
} as const

/** Files in code-point order of their names, each once; or what is wrong with the paths, one sentence each. */
export async function discover(paths: readonly string[], cwd: string): Promise<Result<InputFile[], string[]>> {
  const faults: string[] = []
  const files = new Map<string, InputFile>()
  for (const path of paths) {
    const found = await filesFor(path, cwd)
    if (typeof found === 'string') faults.push(found)
    else for (const file of found) if (file.named || !files.has(file.path)) files.set(file.path, file)
  }
  if (faults.length > 0) return err(faults)
  return ok(namedApart([...files.values()]).sort((a, b) => compareCodePoints(a.name, b.name)))
}

/** Files that would share a name get their whole path: a file of the library that comes with joust, or `<stdin>`. */
function namedApart(files: readonly InputFile[]): InputFile[] {
  const last = new Map(files.map(({ name, path }) => [name, path]))
  const first = new Map(files.map(({ name, path }) => [name, path] as const).reverse())
  const isShared = ({ name }: InputFile) => first.get(name) !== last.get(name)
  return files.map((file) => (file.path !== STDIN && isShared(file) ? { ...file, name: slashed(file.path) } : file))
}

/** The same for commands that do not change the files, which may then be those of the library that comes with joust. */
export async function discoverAttacks(paths: readonly string[], cwd: string): Promise<Result<InputFile[], string[]>> {
  const found = paths.map((path) => orLibrary(path, cwd))
  return discover(found, cwd)
}

/**
 * `library`, or a path below it, where the folder has nothing of that name: the library that comes with joust. The names
 * that `joust library list` gives are without `.oatf.yaml`.
 */
export function orLibrary(path: string, folder: string): string {
  if (!/^library(?:\/|$)/.test(path) || existsSync(resolve(folder, 'library'))) return path
  const inside = join(assets.root, path)
  const found = [inside, `${inside}.oatf.yaml`].find((file) => existsSync(file))
  return found ?? (hasGlob(path) ? inside : path)
}

async function filesFor(given: string, cwd: string): Promise<InputFile[] | string> {
  if (given === STDIN) return [{ name: '<stdin>', path: STDIN, named: true }]
  const path = resolve(cwd, given)
  const about = lookAt(path)
  if (!(about instanceof Error)) {
    if (!about.isDirectory()) return [inputFile(path, cwd, true)]
    const found = (await walk(path, isCandidate, () => true)).map((file) => ({
      ...inputFile(file.path, cwd, false),
      ...file,
    }))
    return found.length > 0 ? found : `${given}: the folder holds no .yaml, .yml or .json file`
  }
  if (hasGlob(given)) return globFiles(given, cwd)
  // A file that exists but cannot be reached is a finding, not wrong usage.
  return about.code === 'ENOENT' || about.code === 'ENOTDIR' ? `${given}: no such file` : [inputFile(path, cwd, true)]
}

async function globFiles(given: string, cwd: string): Promise<InputFile[] | string> {
  const patterns = expandBraces(given.split(sep).join('/'))
  if (patterns === undefined) return `${given}: the braces expand to too many patterns`
  const found: InputFile[] = []
  for (const pattern of patterns) {
    const base = globBase(pattern)
    const root = resolve(cwd, base)
    if (!isDirectory(root)) continue
    const rest = base === '.' ? pattern.replace(/^\.\//, '') : pattern.slice(base.length).replace(/^\//, '')
    const matches = await walk(
      root,
      (name) => matchesGlob(rest, name),
      (name) => mayMatchBelow(rest, name),
    )
    found.push(...matches.map((file) => ({ ...inputFile(file.path, cwd, true), ...file })))
  }
  return found.length > 0 ? found : `${given}: no file matches`
}

interface Walked {
  readonly path: string
  readonly folder?: keyof typeof folderNotes
}

// Only the type is imported, which is the value as well: the arena takes long to load.
const results: typeof RESULTS_HOME = 'joust-results'

/**
 * Files below a folder whose path, relative to it, is wanted. Hidden folders, `node_modules` and our own results are
 * skipped. Links to folders are reported, not followed, so that a walk neither loops nor leaves its folder.
 */
async function walk(
  root: string,
  wanted: (name: string) => boolean,
  mayHold: (folder: string) => boolean,
): Promise<Walked[]> {
  const found: Walked[] = []
  const pending = [root]
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => undefined)
    if (entries === undefined) {
      found.push({ path: folder, folder: 'unlisted' })
      continue
    }
    for (const entry of entries) {
      const path = join(folder, entry.name)
      const name = slashed(relative(root, path))
      const isLinked = entry.isSymbolicLink() && isDirectory(path)
      if (entry.isDirectory() || isLinked) {
        if (isPassedOver(entry.name)) continue
        if (!isLinked) pending.push(path)
        else if (mayHold(name) && !isSearched(path, root)) found.push({ path, folder: 'linked' })
      } else if (wanted(name) && (entry.isFile() || isFileLink(path))) found.push({ path })
    }
  }
  return found
}

function isPassedOver(name: string): boolean {
  return name.startsWith('.') || [results, 'node_modules'].includes(name)
}

/** True for a link to a folder that is searched under its own name. */
function isSearched(link: string, root: string): boolean {
  const inside = slashed(relative(realpathSync(root), realpathSync(link)))
  return inside === '' || !inside.split('/').some(isPassedOver)
}

/** A link that leads nowhere counts: reading it will say so. Pipes and devices are skipped. */
function isFileLink(path: string): boolean {
  const about = lookAt(path)
  return about instanceof Error || about.isFile()
}

/** Whether there is a folder at a path. */
export function isDirectory(path: string): boolean {
  const about = lookAt(path)
  return !(about instanceof Error) && about.isDirectory()
}

/** What is there, or the error of the system. */
function lookAt(path: string): Stats | NodeJS.ErrnoException {
  try {
    return statSync(path)
  } catch (error) {
    // The system throws nothing else.
    return error as NodeJS.ErrnoException
  }
}

function isCandidate(name: string): boolean {
  return /\.(?:yaml|yml|json)$/i.test(name) && !name.startsWith('.')
}

/** A file under its name in output. */
export function inputFile(path: string, cwd: string, named: boolean): InputFile {
  const near = slashed(relative(cwd, path))
  const whole = slashed(path)
  const shipped = slashed(relative(assets.library, path))
  if (near !== shipped && !shipped.startsWith('../')) return { name: `library/${shipped}`, path, named }
  // A long chain of `../` says less than the whole path.
  return { name: near === '' || (near.startsWith('../') && near.length > whole.length) ? whole : near, path, named }
}

function slashed(path: string): string {
  return path.split(sep).join('/')
}
