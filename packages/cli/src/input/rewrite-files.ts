/** Rewrites files in place. */
import { accessSync, constants, realpathSync, statSync, writeFileSync } from 'node:fs'
import { beginsWith, replaceFile } from '@joust/io'
import { errorCode, messageOf, printable } from '@joust/source'
import { exitCodes } from '../terminal/exit-codes.ts'
import { type Io, tell } from '../terminal/io.ts'
import type { DocumentText } from './read-documents.ts'

export interface Rewrite extends DocumentText {
  readonly newText: string
}

export function listDifferent(files: readonly Rewrite[], io: Io): number {
  const different = files.filter(({ text, newText }) => text !== newText)
  for (const { name } of different) io.stdout.write(`${printable(name)}\n`)
  return different.length === 0 ? exitCodes.ok : exitCodes.findings
}

/** Atomically replaces each file whose text differs, and prints its name; returns the exit code. */
export function rewriteDifferent(files: readonly Rewrite[], io: Io): number {
  let code: number = exitCodes.ok
  for (const { name, path, text, newText } of files) {
    if (text === newText) continue
    const fault = rewriteFile(path, newText)
    if (fault === undefined) io.stdout.write(`${printable(name)}\n`)
    else {
      tell(io, `${name}: cannot be written: ${fault}`)
      code = exitCodes.failure
    }
  }
  return code
}

/** Replaces a file's text, keeping its owner, mode, links and byte order mark; returns an error message on failure. */
export function rewriteFile(path: string, text: string): string | undefined {
  try {
    const target = realpathSync(path)
    // A rename would replace even a write-protected file.
    accessSync(target, constants.W_OK)
    // As Latin-1, the mark is three characters.
    const mark = beginsWith(target, '\u00ef\u00bb\u00bf') && !text.startsWith('\ufeff') ? '\ufeff' : ''
    rewrite(target, `${mark}${text}`)
    return undefined
  } catch (thrown) {
    return messageOf(thrown)
  }
}

/** Replaces a file atomically or, if that would change the owner, writes to the existing file. */
function rewrite(path: string, text: string): void {
  const about = statSync(path)
  try {
    replaceFile(path, text, about.mode, about)
  } catch (thrown) {
    if (errorCode(thrown) !== 'EPERM') throw thrown
    writeFileSync(path, text, { flush: true })
  }
}
