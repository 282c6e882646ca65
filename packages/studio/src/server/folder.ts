/** The files of the folder: nothing outside it, nothing through a link, nothing without a bound. */
import { type Dirent, lstatSync, mkdirSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { RESULTS_HOME } from '@joust/arena'
import { readBounded, replaceFile, sha256 } from '@joust/io'
import { compareCodePoints, err, messageOf, ok, type Result } from '@joust/source'
import type { FileText } from '../model/api.ts'
import { limits } from '../model/limits.ts'

/** Why a file is not given or written, as a status of HTTP and a sentence. */
export interface FolderFault {
  readonly status: 400 | 404 | 409 | 413 | 500
  readonly message: string
}

/** The files of a folder. */
export interface StudioFolder {
  readonly root: string
  list(): string[]
  read(path: string): Result<FileText, FolderFault>
  /** Writes a text over the version that it was based on; without a version, the file must not exist. */
  save(path: string, text: string, version: string | undefined): Result<FileText, FolderFault>
  /** Remembers files of any kind that the command just created at the user's request, so that undo deletes them. */
  adopt(paths: readonly string[]): void
  /** Restores the text from before the last save, provided that the file is still as saved. */
  undo(path: string): Result<FileText | undefined, FolderFault>
}

/** Whether files of a name are opened and saved. */
function isWritable(name: string): boolean {
  return /^[^.].*\.(?:ya?ml|json)$/i.test(name) && name !== 'package-lock.json'
}

const PASSED_OVER = new Set(['node_modules', RESULTS_HOME, 'dist', '__pycache__'])

/** Whether nothing in folders of a name is opened or listed. */
function isPassedOver(name: string): boolean {
  return name.startsWith('.') || PASSED_OVER.has(name)
}

/** An earlier text; `undefined` where there was no file. */
interface Earlier {
  readonly path: string
  readonly text: string | undefined
  /** The version that replaced it. */
  readonly written: string
}

/** How much of a folder is listed. */
type ListBounds = Readonly<Record<'files' | 'entries' | 'depth', number>>

export function openStudioFolder(folder: string, bounds: ListBounds = limits): StudioFolder {
  const root = realpathSync(folder)
  const earlier: Earlier[] = []
  const placeOf = (path: string) =>
    isOurs(path) ? insideOf(root, path) : err<FolderFault>({ status: 400, message: OUTSIDE })
  const fileText = (path: string, text: string): FileText => {
    return { path, text, version: versionOf(text), undo: earlier.some((one) => one.path === path) }
  }
  const read = (path: string): Result<FileText, FolderFault> => {
    const place = placeOf(path)
    if (!place.ok) return place
    const text = textAt(place.value)
    return text.ok ? ok(fileText(path, text.value)) : text
  }
  return {
    root,
    read,
    list: () => listFiles(root, bounds),
    save(path, text, version) {
      const place = placeOf(path)
      if (!place.ok) return place
      if (Buffer.byteLength(text) > limits.fileBytes) return err({ status: 413, message: TOO_LARGE })
      const now = textAt(place.value)
      if (!now.ok && now.error.status !== 404) return now
      const there = now.ok ? versionOf(now.value) : undefined
      if (there !== version) return err({ status: 409, message: CHANGED })
      const written = write(place.value, text)
      if (!written.ok) return written
      earlier.push({ path, text: now.ok ? now.value : undefined, written: versionOf(text) })
      if (earlier.length > limits.undo) earlier.shift()
      return ok(fileText(path, text))
    },
    adopt(paths) {
      for (const path of paths) {
        const place = insideOf(root, path)
        const text = place.ok ? textAt(place.value) : place
        if (text.ok) earlier.push({ path, text: undefined, written: versionOf(text.value) })
      }
    },
    undo(path) {
      const index = earlier.findLastIndex((one) => one.path === path)
      const last = earlier[index]
      if (last === undefined) return err({ status: 404, message: 'there is nothing to undo in this file' })
      const place = insideOf(root, path)
      if (!place.ok) return place
      const now = textAt(place.value)
      if (!now.ok) return now
      if (versionOf(now.value) !== last.written) return err({ status: 409, message: CHANGED })
      if (last.text === undefined) {
        rmSync(place.value)
      } else {
        const restored = write(place.value, last.text)
        if (!restored.ok) return restored
      }
      earlier.splice(index, 1)
      return ok(last.text === undefined ? undefined : fileText(path, last.text))
    },
  }
}

const CHANGED = 'the file has been changed by somebody else since it was read'
const TOO_LARGE = `the file is larger than ${limits.fileBytes} bytes, which is all that the studio opens`

/** Whether a file is one that the studio opens and saves. */
function isOurs(path: string): boolean {
  const parts = path.split('/')
  return isWritable(parts.at(-1) ?? '') && !parts.slice(0, -1).some(isPassedOver)
}

/** The absolute path of a file below the folder, with links followed; the file itself must not be one. */
function insideOf(root: string, path: string): Result<string, FolderFault> {
  const parts = path.split('/')
  if (parts.some((part) => /^\.{0,2}$|[\\\0]/.test(part))) return err({ status: 400, message: OUTSIDE })
  const place = join(root, ...parts)
  const parent = existing(dirname(place))
  if (parent !== root && !parent.startsWith(root + sep)) return err({ status: 400, message: OUTSIDE })
  const there = lstatSync(place, { throwIfNoEntry: false })
  if (there !== undefined && !there.isFile()) return err({ status: 400, message: OUTSIDE })
  return ok(place)
}

const OUTSIDE = 'only YAML and JSON files of the folder are opened here, and no links'

/** The real path of the deepest part of a path that exists. */
function existing(path: string): string {
  for (let here = path; ; here = dirname(here)) {
    if (lstatSync(here, { throwIfNoEntry: false }) === undefined && here !== dirname(here)) continue
    try {
      return realpathSync(here)
    } catch {
      // A link that leads nowhere could lead anywhere by the time of writing.
      return ''
    }
  }
}

function textAt(place: string): Result<string, FolderFault> {
  const there = lstatSync(place, { throwIfNoEntry: false })
  if (there === undefined) return err({ status: 404, message: 'there is no such file' })
  if (there.size > limits.fileBytes) return err({ status: 413, message: TOO_LARGE })
  try {
    return ok(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readBounded(place, limits.fileBytes)))
  } catch (thrown) {
    return err({ status: 400, message: `the file cannot be read: ${messageOf(thrown)}` })
  }
}

function write(place: string, text: string): Result<void, FolderFault> {
  try {
    mkdirSync(dirname(place), { recursive: true })
    return ok(replaceFile(place, text, lstatSync(place, { throwIfNoEntry: false })?.mode ?? 0o666 & ~process.umask()))
  } catch (thrown) {
    return err({ status: 500, message: `the file cannot be written: ${messageOf(thrown)}` })
  }
}

function versionOf(text: string): string {
  return sha256(text, 32)
}

/** Breadth first: of a folder with too many files, the deep ones are left out. */
function listFiles(root: string, bounds: ListBounds): string[] {
  const found: string[] = []
  let folders = [root]
  let seen = 0
  for (let depth = 0; depth <= bounds.depth && folders.length > 0; depth++) {
    const below: string[] = []
    for (const folder of folders)
      for (const entry of entriesOf(folder)) {
        seen += 1
        if (found.length >= bounds.files || seen > bounds.entries) return found.sort(compareCodePoints)
        const path = join(folder, entry.name)
        if (entry.isDirectory() && !isPassedOver(entry.name)) below.push(path)
        else if (entry.isFile() && isWritable(entry.name)) found.push(relative(root, path).replaceAll(sep, '/'))
      }
    folders = below
  }
  return found.sort(compareCodePoints)
}

/** What is in a folder; nothing where it may not be read. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
