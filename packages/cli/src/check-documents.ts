/** One file to its findings: what `validate` and `fmt` have in common. */
import type { Document, ParseError } from '@joust/oatf'
import { parse, validateOnDemand } from '@joust/oatf/on-demand'
import { type Diagnostic, sortByPosition, suggest } from '@joust/source'
import type { InputFile } from './input/discover.ts'
import { type Format, formatOf, topLevelKeys } from './input/format-of.ts'
import { readText } from './input/read.ts'
import type { Io } from './io.ts'

/** What is known about a file. */
export interface FileReport {
  readonly name: string
  readonly path: string
  readonly format: Format
  /** The text, when there is one. */
  readonly text?: string
  /** The document, when it is valid. */
  readonly document?: Document
  readonly diagnostics: readonly Diagnostic[]
  /** Why the file was not checked; only for files that nobody named. */
  readonly note?: string
}

const NOT_CHECKED =
  'this is an Agent Format file; this version of joust validates OATF documents only, so it was not checked'

/** The report of each file, in order; files of a folder that are no documents are left out. */
export async function checkAll(files: readonly InputFile[], io: Io): Promise<FileReport[]> {
  const reports: FileReport[] = []
  for (const file of files) {
    const report = await checkDocument(file, io)
    if (report !== undefined) reports.push(report)
  }
  return reports
}

/** Checks a file. Undefined for one in a folder that is no document of either format. */
async function checkDocument(file: InputFile, io: Io): Promise<FileReport | undefined> {
  const { name, path } = file
  if (file.unlisted) return failed(file, 'unreadable', 'the folder cannot be listed')
  const read = await readText(file.path, io)
  const wanted = file.named || /\.oatf\.(?:yaml|yml|json)$/.test(name)
  if (!read.ok) {
    if (wanted) return { name, path, format: 'unknown', diagnostics: [read.error] }
    return { name, path, format: 'unknown', diagnostics: [], note: `not checked: ${read.error.message}` }
  }
  const text = read.value
  if (!wanted && !mayBeDocument(text)) return undefined
  const parsed = parse(text)
  return parsed.ok ? validated(file, text, parsed.value) : refused(file, text, parsed.error, wanted)
}

async function validated({ name, path }: InputFile, text: string, document: Document): Promise<FileReport> {
  const { errors, warnings } = await validateOnDemand(document)
  const diagnostics = sortByPosition<Diagnostic>([...errors, ...warnings])
  const report = { name, path, format: 'oatf', text, diagnostics } as const
  return errors.length === 0 ? { ...report, document } : report
}

/** What to say about a text that does not parse: it may be a document of another kind, or none. */
function refused(
  file: InputFile,
  text: string,
  errors: readonly ParseError[],
  wanted: boolean,
): FileReport | undefined {
  const { name, path } = file
  const format = formatOf(text)
  if (format === 'agent-format') {
    if (file.named) return failed(file, 'agent-format', NOT_CHECKED, format, text)
    return { name, path, format, text, diagnostics: [], note: NOT_CHECKED }
  }
  if (format === 'unknown' && !wanted) return undefined
  const readable = errors.every((error) => error.kind !== 'syntax')
  if (format === 'unknown' && readable && isStranger(text))
    return failed(file, 'not-oatf', expectation(text), format, text)
  return { name, path, format, text, diagnostics: errors }
}

function failed(
  { name, path }: InputFile,
  code: string,
  message: string,
  format: Format = 'unknown',
  text?: string,
): FileReport {
  const report = { name, path, format, diagnostics: [{ severity: 'error', code, message }] } as const
  return text === undefined ? report : { ...report, text }
}

/** A quick look that spares unrelated files in a folder the parser. */
function mayBeDocument(text: string): boolean {
  return /\boatf\b|\bschema_version\b|\bexecution_policy\b/.test(text)
}

/** A mapping whose keys are not even near those of a document. */
function isStranger(text: string): boolean {
  const keys = topLevelKeys(text)
  return keys.length > 0 && keys.every((key) => suggest(key, ['oatf', 'attack']) === undefined)
}

function expectation(text: string): string {
  const keys = topLevelKeys(text)
  const some = keys.slice(0, 5).map((key) => JSON.stringify(key.slice(0, 40)))
  const more = keys.length > 5 ? ', …' : ''
  return `this is no OATF document: expected the keys "oatf" and "attack" at the top, found ${some.join(', ')}${more}`
}
