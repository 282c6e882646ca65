/** Reads untrusted files: bounded, strictly decoded, without throwing. */
import { closeSync, fstatSync, read, readSync } from 'node:fs'
import { promisify } from 'node:util'
import { openToRead } from '@joust/io'
import { type Diagnostic, defaultLimits, err, exceeded, ok, type Result } from '@joust/source'
import type { Io } from '../terminal/io.ts'

type InputCode = 'missing' | 'not-a-file' | 'unreadable' | 'too-large' | 'binary' | 'not-utf-8'

type InputFault = Diagnostic & { readonly severity: 'error'; readonly code: InputCode }

/** True for a wrong path or missing permission; false for errors in the content of the file. */
export function isWrongPath({ code }: InputFault): boolean {
  return code === 'missing' || code === 'not-a-file' || code === 'unreadable'
}

/** The argument for standard input. */
export const STDIN = '-'

/** Reads a file, or standard input for `-`, as text without its byte order mark. */
export async function readText(path: string, io: Io): Promise<Result<string, InputFault>> {
  const text = await readWhole(path, io)
  return text.ok ? ok(text.value.replace(/^\uFEFF/, '')) : text
}

/** Like `readText`, but keeps the byte order mark, for commands that write the text back. */
export async function readWhole(path: string, io: Io): Promise<Result<string, InputFault>> {
  const limit = defaultLimits.yamlBytes
  const bytes = path === STDIN ? ok(await io.stdin(limit)) : await readBytes(path, limit)
  if (!bytes.ok) return bytes
  if (bytes.value.length > limit)
    return fault('too-large', `the file is ${exceeded(defaultLimits, 'yamlBytes').message}`)
  return decode(bytes.value)
}

async function readBytes(path: string, limit: number): Promise<Result<Uint8Array, InputFault>> {
  try {
    const file = openToRead(path)
    try {
      const stats = fstatSync(file)
      const { size } = stats
      if (size > limit) return fault('too-large', `the file is ${exceeded(defaultLimits, 'yamlBytes', size).message}`)
      return ok(await readUpTo(file, limit + 1, stats.isFile() ? size : undefined))
    } finally {
      closeSync(file)
    }
  } catch (error) {
    return err(inputFault(error))
  }
}

const readPart = promisify(read)

async function readUpTo(file: number, most: number, size = -1): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  while (length < most) {
    const buffer = Buffer.allocUnsafe(Math.min(length < size ? size - length + 1 : 65_536, most - length))
    const bytesRead =
      size < 0 ? (await readPart(file, buffer, 0, buffer.length, null)).bytesRead : readSync(file, buffer)
    chunks.push(buffer.subarray(0, bytesRead))
    length += bytesRead
    // The buffer had room for more than the rest of the file.
    if (bytesRead === 0 || (length === size && bytesRead < buffer.length)) break
  }
  return Buffer.concat(chunks)
}

function decode(bytes: Uint8Array): Result<string, InputFault> {
  if (isUtf16(bytes)) return fault('not-utf-8', 'the file is UTF-16 text; save it as UTF-8')
  if (bytes.includes(0)) return fault('binary', 'this is a binary file: it contains NUL bytes')
  try {
    return ok(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
  } catch {
    return fault('not-utf-8', 'the file is not UTF-8 text')
  }
}

function isUtf16([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
}

export function inputFault(error: unknown): InputFault {
  if (error instanceof Error && !('code' in error)) return faultOf('not-a-file', error.message)
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
  if (code === 'ENOENT' || code === 'ENOTDIR') return faultOf('missing', 'no such file')
  return faultOf('unreadable', `the file cannot be read: ${reasons[code] ?? code}`)
}

const reasons: { readonly [code: string]: string } = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ELOOP: 'its symbolic links form a cycle',
  EISDIR: 'it is a directory',
}

function fault(code: InputCode, message: string): Result<never, InputFault> {
  return err(faultOf(code, message))
}

function faultOf(code: InputCode, message: string): InputFault {
  return { severity: 'error', code, message }
}
