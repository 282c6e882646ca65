/** Files for which a command has another text. */
import { accessSync, constants, realpathSync, statSync, writeFileSync } from 'node:fs'
import { beginsWith, replaceFile } from '@joust/io'
import { messageOf, printable } from '@joust/source'
import { exitCodes } from '../terminal/exit-codes.ts'
import { type Io, tell } from '../terminal/io.ts'
import type { DocumentText } from './read-documents.ts'

/** A file as it is and as it should be. */
export interface Remade extends DocumentText {
  readonly made: string
}

/** Lists the files that differ; returns the exit code. */
export function listDifferent(files: readonly Remade[], io: Io): number {
  const different = files.filter(({ text, made }) => text !== made)
  for (const { name } of different) io.stdout.write(`${printable(name)}\n`)
  return different.length === 0 ? exitCodes.ok : exitCodes.findings
}

/** Replaces the files that differ, each in one step, and lists them; returns the exit code. */
export function rewriteDifferent(files: readonly Remade[], io: Io): number {
  let code: number = exitCodes.ok
  for (const { name, path, text, made } of files) {
    if (text === made) continue
    const fault = rewriteFile(path, made)
    if (fault === undefined) io.stdout.write(`${printable(name)}\n`)
    else {
      tell(io, `${name}: cannot be written: ${fault}`)
      code = exitCodes.failure
    }
  }
  return code
}

/** Gives a file another text; owner, mode, links and a byte order mark stay. Returns a reason when it fails. */
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

/** In one step; where that would change the owner, which only root can give away, the file is written in place. */
function rewrite(path: string, text: string): void {
  const about = statSync(path)
  try {
    replaceFile(path, text, about.mode, about)
  } catch (thrown) {
    if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'EPERM')) throw thrown
    writeFileSync(path, text, { flush: true })
  }
}
