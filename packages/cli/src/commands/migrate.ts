/** `joust migrate PATH…`: rewrites documents in older dialects to the current specification. */
import { translateSource, versionFirst } from '@joust/oatf/on-demand'
import {
  type Diagnostic,
  formatPath,
  patchText,
  printable,
  readSource,
  sortByPosition,
  unifiedDiff,
} from '@joust/source'
import { discover } from '../input/discover.ts'
import type { FileReport } from '../input/file-report.ts'
import { STDIN } from '../input/read.ts'
import { type DocumentText, readDocuments } from '../input/read-documents.ts'
import { listDifferent, type Rewrite, rewriteDifferent } from '../input/rewrite-files.ts'
import type { MigrateOptions } from '../options/documents.ts'
import { printFindings } from '../render/text.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { type Io, wrongUsage } from '../terminal/io.ts'

const NOT_OATF = 'this is not an attack document; other files have no dialects'

interface Migrated extends Rewrite {
  readonly translations: readonly Diagnostic[]
  /** Paths in the document at which the layout was not preserved. */
  readonly rewritten: readonly string[]
}

/** Prints diffs, or rewrites or compares documents. Unreadable documents are reported and left unchanged. */
export async function migrate(paths: readonly string[], options: MigrateOptions, io: Io): Promise<number> {
  const files = await discover(paths, io.cwd)
  if (!files.ok) return wrongUsage(files.error, io)
  if (options.write && paths.includes(STDIN)) return wrongUsage(['--write needs files, not standard input'], io)

  const { documents, faulty } = await readDocuments(files.value, io, ['oatf'], NOT_OATF)
  if (documents.length + faulty.length === 0) return wrongUsage([`no attack document in ${paths.join(' ')}`], io)
  const results = documents.map(migrateDocument)
  const migrated = results.filter((result) => 'newText' in result)
  const unread = [...faulty, ...results.filter((result) => 'diagnostics' in result)]

  printFindings(unread, io)
  for (const file of migrated) io.stderr.write(tell(file))
  const code = options.check
    ? listDifferent(migrated, io)
    : options.write
      ? rewriteDifferent(migrated, io)
      : printDiffs(migrated, io)
  return code === exitCodes.ok && unread.length > 0 ? exitCodes.findings : code
}

function migrateDocument(document: DocumentText): Migrated | FileReport {
  const { text } = document
  const source = readSource(text)
  if (!source.ok) return { ...document, format: 'oatf', diagnostics: source.error }
  const { source: translated, translations } = translateSource(source.value)
  if (translations.length === 0) return { ...document, newText: text, translations, rewritten: [] }
  const patch = patchText(text, translated.value)
  if (!patch.ok) return { ...document, format: 'oatf', diagnostics: patch.error }
  const newText = versionFirst(patch.value.text)
  return { ...document, newText, translations, rewritten: patch.value.rewritten.map(formatPath) }
}

function tell({ name, translations, rewritten }: Migrated): string {
  const changes = sortByPosition(translations).map(
    ({ line, code, message }) => `${name}:${line ?? 1}: ${code} ${message}`,
  )
  const anew = rewritten.map((path) => `${name}: the layout of ${path === '' ? 'the document' : path} is not preserved`)
  return [...changes, ...anew].map((line) => `${printable(line)}\n`).join('')
}

function printDiffs(migrated: readonly Migrated[], io: Io): number {
  for (const { name, text, newText } of migrated) io.stdout.write(unifiedDiff(text, newText, printable(name)))
  return exitCodes.ok
}
