/** Files that nobody vouches for: read up to a limit, written without following links or replacing what is not ours. */
import { randomUUID } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  fstatSync,
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
  writeFileSync,
} from 'node:fs'
import { realpath } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'

const { O_RDONLY, O_RDWR, O_CREAT, O_APPEND } = constants
// Windows has neither; there a name in an ordinary folder is never a pipe.
const O_NONBLOCK = constants.O_NONBLOCK ?? 0
const O_NOFOLLOW = constants.O_NOFOLLOW ?? 0

/** Names that the shell or the user means as streams: `<(command)`, `/dev/stdin`, `/dev/null`. */
const stream = /^\/(?:dev\/(?:fd\/\d+|stdin|stdout|stderr|null|full)|proc\/self\/fd\/\d+)$/

/**
 * Opens a file to be read, and returns its descriptor. A device never ends and a pipe may never begin, so only regular
 * files are opened, and the streams that a shell hands over. Throws.
 */
export function openToRead(path: string): number {
  if (stream.test(path)) return openSync(path, O_RDONLY)
  // Without waiting for somebody to write, should it be a pipe.
  const file = openSync(path, O_RDONLY | O_NONBLOCK)
  return checked(file, () => {
    const about = fstatSync(file)
    if (about.isDirectory()) throw new Error('this is a directory, not a file')
    if (!about.isFile()) throw new Error('this is not a regular file')
  })
}

/**
 * The real path of a file below a folder; undefined when its name leads out of the folder, by itself or through a link.
 * Rejects with what the system says.
 */
export async function pathInside(folder: string, name: string): Promise<string | undefined> {
  const path = resolve(folder, name)
  if (leadsOut(folder, path)) return undefined
  const real = await realpath(path)
  return leadsOut(await realpath(folder), real) ? undefined : real
}

function leadsOut(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way === '' || way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)
}

/** The bytes of a file, counted while they are read. Throws when there are more than `maxBytes`. */
export function readBounded(path: string, maxBytes: number): Uint8Array {
  return reading(path, (file) => {
    const parts: Uint8Array[] = []
    const tooLarge = new Error(`the file is larger than ${maxBytes} bytes, which is all that is read`)
    // What a file says of its size is enough to refuse it; a stream, or a file that grows, is counted.
    if (fstatSync(file).size > maxBytes) throw tooLarge
    let length = 0
    while (length <= maxBytes) {
      const part = Buffer.allocUnsafe(Math.min(1 << 20, maxBytes + 1 - length))
      const read = readSync(file, part)
      if (read === 0) return Buffer.concat(parts)
      parts.push(part.subarray(0, read))
      length += read
    }
    throw tooLarge
  })
}

function reading<T>(path: string, read: (file: number) => T): T {
  const file = openToRead(path)
  try {
    return read(file)
  } finally {
    closeSync(file)
  }
}

/**
 * Opens a file that this user alone can read, new or one of ours, and returns its descriptor. Files of its kind begin
 * with `mark`: one that is there and begins otherwise is left alone. Links are not followed. Throws.
 */
export function openToWrite(path: string, kind: { readonly mark: string; readonly append?: boolean }): number {
  const { mark, append = false } = kind
  if (stream.test(path)) return openSync(path, 'w')
  refuseLink(path)
  const flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | (append ? O_APPEND : 0)
  const file = openSync(path, flags, 0o600)
  return checked(file, () => {
    const about = fstatSync(file)
    if (!about.isFile()) throw new Error('this is not a regular file')
    if (about.size > 0 && beginning(file, mark.length) !== mark) throw new Error(FOREIGN)
    if (!append) ftruncateSync(file)
  })
}

/** Puts a text, readable by this user alone, in the place of a file. A link, and what is not ours, stays. Throws. */
export function replaceOwn(path: string, text: string, isOurs: (path: string) => boolean): void {
  refuseLink(path)
  const there = lstatSync(path, { throwIfNoEntry: false })
  if (there !== undefined && !(there.isFile() && isOurs(path))) throw new Error(FOREIGN)
  replaceFile(path, text, 0o600)
}

/** The user and the group that a file belongs to. */
type FileOwner = Pick<Stats, 'uid' | 'gid'>

/**
 * Puts a text in the place of a file in one step, so that nobody ever sees half of it: synchronous, since a signal must
 * not come between writing and renaming. The file belongs to this user, unless an owner is given. Throws.
 */
export function replaceFile(path: string, text: string, mode: number, owner?: FileOwner): void {
  const temporary = join(dirname(path), `.joust-${randomUUID()}.tmp`)
  try {
    writeFileSync(temporary, text, { mode: 0o600, flag: 'wx', flush: true })
    const { uid, gid } = lstatSync(temporary)
    if (owner !== undefined && (owner.uid !== uid || owner.gid !== gid)) chownSync(temporary, owner.uid, owner.gid)
    // Given to `writeFileSync`, the mode would lose what the umask takes.
    chmodSync(temporary, mode & 0o777)
    renameSync(temporary, path)
  } catch (thrown) {
    rmSync(temporary, { force: true })
    throw thrown
  }
}

/** Writes a file that is not there yet: all of it, or nothing is left behind. Throws. */
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

/** Whether a file begins with these characters. Throws. */
export function beginsWith(path: string, mark: string): boolean {
  return reading(path, (file) => beginning(file, mark.length) === mark)
}

/** Writes all of a text: on a full disk or a signal, one write may take only a part of it. Throws. */
export function writeAll(file: number, text: string): void {
  const bytes = new TextEncoder().encode(text)
  for (let at = 0; at < bytes.length; ) at += systemWrite(file, bytes, at)
}

/** Why something that is there is not written to. */
const FOREIGN = 'it already exists, and Joust did not write it; remove it, or name another place'

/** Throws when a path is a symbolic link. */
export function refuseLink(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true)
    throw new Error('it is a symbolic link, which is not followed')
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
 * Makes a folder and the missing ones above it; nobody else can look into them. Throws what the system says. Step by
 * step: where a file system refuses new folders by saying that the path does not exist (`/proc`), Node's recursive
 * `mkdir` would try for ever.
 */
export function makeFolder(path: string): void {
  const missing: string[] = []
  for (let folder = resolve(path); !isFolder(folder); folder = dirname(folder)) missing.unshift(folder)
  for (const folder of missing) {
    try {
      mkdirSync(folder, 0o700)
    } catch (thrown) {
      // Somebody else may have made it meanwhile.
      if (!isFolder(folder)) throw thrown
    }
  }
}

/** Whether a path is a folder; the root always is. */
function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true || dirname(path) === path
}
