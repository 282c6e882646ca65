/** Reads documents as text, valid or not, for commands that rewrite them. */
import type { Diagnostic } from '@joust/source'
import { type Io, tell } from '../terminal/io.ts'
import { folderNotes, type InputFile } from './discover.ts'
import type { FileReport } from './file-report.ts'
import { type Format, formatOf } from './format-of.ts'
import { readWhole } from './read.ts'

export type DocumentText = Pick<InputFile, 'name' | 'path'> & { readonly text: string }

/** Returns the readable documents, and reports on unreadable files and on named files in other formats. */
export async function readDocuments(files: readonly InputFile[], io: Io, wanted: readonly Format[], otherwise: string) {
  const documents: DocumentText[] = []
  const faulty: FileReport[] = []
  for (const file of files) {
    const { name, path } = file
    const fail = (diagnostic: Diagnostic, text?: string): void => {
      const report = { name, path, format: 'unknown', diagnostics: [diagnostic] } as const
      faulty.push(text === undefined ? report : { ...report, text })
    }
    if (file.folder !== undefined) {
      const message = folderNotes[file.folder]
      if (file.folder === 'unlisted') fail({ severity: 'error', code: 'unreadable', message })
      else tell(io, `${name}: ${message}`)
      continue
    }
    const read = await readWhole(path, io)
    const named = file.named || /\.(?:oatf|agf)\.(?:yaml|yml|json)$/i.test(name)
    if (!read.ok) {
      if (named) fail(read.error)
      continue
    }
    const text = read.value
    if (wanted.includes(formatOf(text))) documents.push({ name, path, text })
    else if (file.named) fail({ severity: 'error', code: 'not-a-document', message: otherwise }, text)
  }
  return { documents, faulty }
}
