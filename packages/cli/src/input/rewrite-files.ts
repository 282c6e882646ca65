/** Files for which a command has another text. */
import { printable } from '@joust/source'
import { type Io, tell } from '../terminal/io.ts'
import type { DocumentText } from './read-documents.ts'
import { replaceFile } from './replace-file.ts'

/** A file as it is and as it should be. */
export interface Remade extends DocumentText {
  readonly made: string
}

/** Lists the files that differ; returns whether there are none. */
export function listDifferent(files: readonly Remade[], io: Io): boolean {
  const different = files.filter(({ text, made }) => text !== made)
  for (const { name } of different) io.stdout.write(`${printable(name)}\n`)
  return different.length === 0
}

/** Replaces the files that differ, each in one step, and lists them; returns whether that succeeded. */
export function rewriteDifferent(files: readonly Remade[], io: Io): boolean {
  let fine = true
  for (const { name, path, text, made } of files) {
    if (text === made) continue
    const fault = replaceFile(path, made)
    if (fault === undefined) io.stdout.write(`${printable(name)}\n`)
    else {
      tell(io, `${name}: cannot be written: ${fault}`)
      fine = false
    }
  }
  return fine
}
