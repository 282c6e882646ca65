/**
 * Access to untrusted files: reads are bounded; writes never follow links or replace files that Joust did not create.
 */
import { randomUUID } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeSync as systemWrite,
} from 'node:fs'
import { realpath } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'

const { O_RDONLY, O_RDWR, O_CREAT, O_APPEND } = constants
// Windows has neither flag, but there a path in an ordinary folder is never a pipe.
const O_NONBLOCK = constants.O_NONBLOCK ?? 0
const O_NOFOLLOW = constants.O_NOFOLLOW ?? 0

const stream = /^\/(?:dev\/(?:fd\/\d+|stdin|stdout|stderr|null|full)|proc\/self\/fd\/\d+)$/

/**
 * Opens a file for reading and returns its descriptor. Accepts only regular files and shell streams, because a device
 * may never end and a pipe may never have a writer. Throws.
 */
export function openToRead(path: string): number {
  if (stream.test(path)) return openSync(path, O_RDONLY)
  // Opening a pipe must not wait for a writer.
  const file = openSync(path, O_RDONLY | O_NONBLOCK)
  return checked(file, () => {
    const stats = fstatSync(file)
    if (stats.isDirectory()) throw new Error('this is a directory, not a file')
    if (!stats.isFile()) throw new Error('this is not a regular file')
  })
}

/**
 * Returns the real path of a file in a folder; undefined if the name escapes the folder, directly or through a link.
 * Rejects with system errors.
 */
export async function pathInside(folder: string, name: string): Promise<string | undefined> {
  const path = resolve(folder, name)
  if (isOutside(folder, path)) return undefined
  const real = await realpath(path)
  return isOutside(await realpath(folder), real) ? undefined : real
}

function isOutside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way === '' || way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)
}

/** Reads a file. Throws if the file has more than `maxBytes` bytes or grows beyond that size. */
export function readBounded(path: string, maxBytes: number): Uint8Array {
  return Buffer.concat([...readInParts(path, maxBytes)])
}

const PART_BYTES = 1 << 16

/** Reads a file in chunks. Throws like `readBounded`. */
export function* readInParts(path: string, maxBytes: number): Generator<Uint8Array> {
  const file = openToRead(path)
  try {
    const tooLarge = new Error(`the file is larger than ${maxBytes} bytes`)
    const { size } = fstatSync(file)
    // The reported size is enough to reject a file. Bytes from streams and growing files are counted below.
    if (size > maxBytes) throw tooLarge
    for (let length = 0; length <= maxBytes; ) {
      const rest = length < size ? size - length + 1 : PART_BYTES
      const part = Buffer.allocUnsafe(Math.min(rest, PART_BYTES, maxBytes + 1 - length))
      const read = readSync(file, part)
      if (read === 0) return
      length += read
      if (length > maxBytes) throw tooLarge
      yield part.subarray(0, read)
    }
  } finally {
    closeSync(file)
  }
}

/**
 * Opens a file for writing, readable only by this user, and returns its descriptor. An existing file must begin with
 * `mark`, as Joust's files of that kind do. Links are not followed. Throws.
 */
export function openToWrite(path: string, kind: { readonly mark: string; readonly append?: boolean }): number {
  const { mark, append = false } = kind
  if (stream.test(path)) return openSync(path, 'w')
  refuseLink(path)
  const flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | (append ? O_APPEND : 0)
  const file = openSync(path, flags, 0o600)
  return checked(file, () => {
    const stats = fstatSync(file)
    if (!stats.isFile()) throw new Error('this is not a regular file')
    if (stats.size > 0 && beginning(file, mark.length) !== mark) throw new Error(FOREIGN)
    if (!append) ftruncateSync(file)
  })
}

type FileText = string | Iterable<string>

/** Replaces one of Joust's own files, readable only by this user. Throws for links and other files. */
export function replaceOwn(path: string, text: FileText, isOwn: (path: string) => boolean): void {
  refuseLink(path)
  const existing = lstatSync(path, { throwIfNoEntry: false })
  if (existing !== undefined && !(existing.isFile() && isOwn(path))) throw new Error(FOREIGN)
  replaceFile(path, text, 0o600)
}

type FileOwner = Pick<Stats, 'uid' | 'gid'>

/**
 * Replaces a file atomically, so that readers never see partial content. Synchronous, so that a signal cannot interrupt
 * it between writing and renaming. The file belongs to this user unless `owner` is set. Throws.
 */
export function replaceFile(path: string, text: FileText, mode: number, owner?: FileOwner): void {
  const temporary = join(dirname(path), `.joust-${randomUUID()}.tmp`)
  try {
    writeFlushed(temporary, typeof text === 'string' ? [text] : text)
    const { uid, gid } = lstatSync(temporary)
    if (owner !== undefined && (owner.uid !== uid || owner.gid !== gid)) chownSync(temporary, owner.uid, owner.gid)
    // The mode given to `openSync` would be reduced by the umask.
    chmodSync(temporary, mode & 0o777)
    renameSync(temporary, path)
  } catch (thrown) {
    rmSync(temporary, { force: true })
    throw thrown
  }
}

function writeFlushed(path: string, parts: Iterable<string>): void {
  const file = openSync(path, 'wx', 0o600)
  try {
    for (const part of parts) writeAll(file, part)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Writes a new file completely, or removes it on failure. Throws. */
export function writeNew(path: string, text: string, mode = 0o666): void {
  const file = openSync(path, 'wx', mode)
  try {
    writeAll(file, text)
  } catch (thrown) {
    rmSync(path)
    throw thrown
  } finally {
    closeSync(file)
  }
}

/** True if a file begins with `mark`. Throws. */
export function beginsWith(path: string, mark: string): boolean {
  const file = openToRead(path)
  try {
    return beginning(file, mark.length) === mark
  } finally {
    closeSync(file)
  }
}

/** Writes the whole text. A single write may be partial if the disk is full or a signal arrives. Throws. */
export function writeAll(file: number, text: string): void {
  const bytes = new TextEncoder().encode(text)
  for (let at = 0; at < bytes.length; ) at += systemWrite(file, bytes, at)
}

const FOREIGN = 'the file exists and Joust did not write it; remove it or choose another path'

/** Throws if a path is a symbolic link. */
export function refuseLink(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true)
    throw new Error('symbolic links are not followed')
}

function beginning(file: number, length: number): string {
  const bytes = Buffer.alloc(length)
  return bytes.toString('latin1', 0, readSync(file, bytes, 0, length, 0))
}

function checked(file: number, check: () => void): number {
  try {
    check()
    return file
  } catch (thrown) {
    closeSync(file)
    throw thrown
  }
}

/**
 * Creates a folder and its missing parents, private to this user. Throws system errors. Creates one folder at a time,
 * because Node's recursive `mkdir` never returns where a file system rejects new folders with ENOENT (`/proc`).
 */
export function makeFolder(path: string): void {
  const missing: string[] = []
  for (let folder = resolve(path); !isFolder(folder); folder = dirname(folder)) missing.unshift(folder)
  for (const folder of missing) {
    try {
      mkdirSync(folder, 0o700)
    } catch (thrown) {
      // A different process may have created the folder meanwhile.
      if (!isFolder(folder)) throw thrown
    }
  }
}

/** True for a folder or the root. */
function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true || dirname(path) === path
}
