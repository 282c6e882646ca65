/** Limited access to the files of a folder. Rejects paths outside of the folder, and symbolic links. */
import { type Dirent, lstatSync, mkdirSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { readBounded, replaceFile, sha256 } from '@joust/io'
import { RESULTS_HOME } from '@joust/results/files'
import { compareCodePoints, err, messageOf, ok, type Result } from '@joust/source'
import type { FileText } from '../model/api.ts'
import { limits } from '../model/limits.ts'

export interface FolderFault {
  readonly status: 400 | 404 | 409 | 413 | 500
  readonly message: string
}

export interface StudioFolder {
  readonly root: string
  list(): string[]
  read(path: string): Result<FileText, FolderFault>
  /** Saves a text that is based on `version` of the file. If `version` is undefined, the file must not exist. */
  save(path: string, text: string, version: string | undefined): Result<FileText, FolderFault>
  /** Registers files created by the command, so that undo deletes them. */
  adopt(paths: readonly string[]): void
  /** Restores the text before the last save, unless the file has changed since. */
  undo(path: string): Result<FileText | undefined, FolderFault>
}

function isWritable(name: string): boolean {
  return /^[^.].*\.(?:ya?ml|json)$/i.test(name) && name !== 'package-lock.json'
}

const IGNORED_FOLDERS = new Set(['node_modules', RESULTS_HOME, 'dist', '__pycache__'])

function isIgnored(name: string): boolean {
  return name.startsWith('.') || IGNORED_FOLDERS.has(name)
}

/** An undo step. `text` is undefined if the file did not exist. */
interface UndoStep {
  readonly path: string
  readonly text: string | undefined
  /** Version that the save created. */
  readonly written: string
}

type ListBounds = Readonly<Record<'files' | 'entries' | 'depth', number>>

export function openStudioFolder(folder: string, bounds: ListBounds = limits): StudioFolder {
  const root = realpathSync(folder)
  const undoSteps: UndoStep[] = []
  const placeOf = (path: string) =>
    isEditable(path) ? insideOf(root, path) : err<FolderFault>({ status: 400, message: OUTSIDE })
  const fileText = (path: string, text: string): FileText => {
    return { path, text, version: versionOf(text), undo: undoSteps.some((one) => one.path === path) }
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
      const current = now.ok ? versionOf(now.value) : undefined
      if (current !== version) return err({ status: 409, message: CHANGED })
      const result = write(place.value, text)
      if (!result.ok) return result
      undoSteps.push({ path, text: now.ok ? now.value : undefined, written: versionOf(text) })
      if (undoSteps.length > limits.undo) undoSteps.shift()
      return ok(fileText(path, text))
    },
    adopt(paths) {
      for (const path of paths) {
        const place = insideOf(root, path)
        const text = place.ok ? textAt(place.value) : place
        if (text.ok) undoSteps.push({ path, text: undefined, written: versionOf(text.value) })
      }
    },
    undo(path) {
      const index = undoSteps.findLastIndex((one) => one.path === path)
      const last = undoSteps[index]
      if (last === undefined) return err({ status: 404, message: 'nothing to undo in this file' })
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
      undoSteps.splice(index, 1)
      return ok(last.text === undefined ? undefined : fileText(path, last.text))
    },
  }
}

const CHANGED = 'the file has changed on disk since it was read'
const TOO_LARGE = `the file exceeds the limit of ${limits.fileBytes} bytes`

function isEditable(path: string): boolean {
  const parts = path.split('/')
  return isWritable(parts.at(-1) ?? '') && !parts.slice(0, -1).some(isIgnored)
}

/** Resolves a path in the folder. Parent folders may be links within the folder. The file itself must not be a link. */
function insideOf(root: string, path: string): Result<string, FolderFault> {
  const parts = path.split('/')
  if (parts.some((part) => /^\.{0,2}$|[\\\0]/.test(part))) return err({ status: 400, message: OUTSIDE })
  const place = join(root, ...parts)
  const parent = existing(dirname(place))
  if (parent !== root && !parent.startsWith(root + sep)) return err({ status: 400, message: OUTSIDE })
  const stats = lstatSync(place, { throwIfNoEntry: false })
  if (stats !== undefined && !stats.isFile()) return err({ status: 400, message: OUTSIDE })
  return ok(place)
}

const OUTSIDE = 'expected a YAML or JSON file in the folder, not a link'

function existing(path: string): string {
  for (let here = path; ; here = dirname(here)) {
    if (lstatSync(here, { throwIfNoEntry: false }) === undefined && here !== dirname(here)) continue
    try {
      return realpathSync(here)
    } catch {
      // The target of a dangling link could be created before the file is written.
      return ''
    }
  }
}

function textAt(place: string): Result<string, FolderFault> {
  const stats = lstatSync(place, { throwIfNoEntry: false })
  if (stats === undefined) return err({ status: 404, message: 'file not found' })
  if (stats.size > limits.fileBytes) return err({ status: 413, message: TOO_LARGE })
  try {
    return ok(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readBounded(place, limits.fileBytes)))
  } catch (thrown) {
    return err({ status: 400, message: `cannot read the file: ${messageOf(thrown)}` })
  }
}

function write(place: string, text: string): Result<void, FolderFault> {
  try {
    mkdirSync(dirname(place), { recursive: true })
    return ok(replaceFile(place, text, lstatSync(place, { throwIfNoEntry: false })?.mode ?? 0o666 & ~process.umask()))
  } catch (thrown) {
    return err({ status: 500, message: `cannot write the file: ${messageOf(thrown)}` })
  }
}

function versionOf(text: string): string {
  return sha256(text, 32)
}

/** Lists files breadth first, so that the limits exclude the deepest files. */
function listFiles(root: string, bounds: ListBounds): string[] {
  const files: string[] = []
  let folders = [root]
  let entries = 0
  for (let depth = 0; depth <= bounds.depth && folders.length > 0; depth++) {
    const below: string[] = []
    for (const folder of folders)
      for (const entry of entriesOf(folder)) {
        entries += 1
        if (files.length >= bounds.files || entries > bounds.entries) return files.sort(compareCodePoints)
        const path = join(folder, entry.name)
        if (entry.isDirectory() && !isIgnored(entry.name)) below.push(path)
        else if (entry.isFile() && isWritable(entry.name)) files.push(relative(root, path).replaceAll(sep, '/'))
      }
    folders = below
  }
  return files.sort(compareCodePoints)
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
