/** Checks files for `validate`, `lint` and `fmt`. */
import { isTranslation, loadOnDemand } from '@joust/oatf/on-demand'
import { compareCodePoints, cut, type Diagnostic, readSource, type Source, suggest } from '@joust/source'
import { folderNotes, type InputFile } from '../input/discover.ts'
import type { FileReport } from '../input/file-report.ts'
import { type Format, formatOf, topLevelKeys } from '../input/format-of.ts'
import { readText } from '../input/read.ts'
import type { Io } from '../terminal/io.ts'

interface CheckOptions {
  /** The reason for skipping agent files; absent if agent files are checked. */
  readonly withoutAgents?: string
  /** Checks a project file named on the command line. If absent, a project file is treated like any other document. */
  readonly projectFaults?: (source: Source) => Promise<readonly Diagnostic[]>
  /** Treats unknown fields of an agent as errors, and does not translate attack dialects. */
  readonly strict?: boolean | undefined
  /** Omits attacks, and the text of files without findings, because thousands of them would exhaust memory. */
  readonly findingsOnly?: boolean
}

interface AgentText {
  readonly file: InputFile
  readonly agent: string
}

/** Returns one report per file, in order. Skips files in a folder that are not documents; adds sub-agents. */
export async function checkAll(files: readonly InputFile[], io: Io, options: CheckOptions = {}): Promise<FileReport[]> {
  const reports: FileReport[] = []
  const agents: AgentText[] = []
  for (const file of files) {
    const result = await checkDocument(file, io, options)
    if (result === undefined) continue
    if ('agent' in result) agents.push(result)
    else reports.push(result)
  }
  if (agents.length === 0) return reports
  const { checkAgents } = await import('../agent/check-agents.ts')
  const texts = agents.map(({ file, agent }) => ({ ...file, text: agent }))
  const checked = await checkAgents(texts, io, options)
  return [...reports, ...checked].sort((a, b) => compareCodePoints(a.name, b.name))
}

/** Checks a file; undefined for a file in a folder that is not a document. */
async function checkDocument(
  file: InputFile,
  io: Io,
  options: CheckOptions,
): Promise<FileReport | AgentText | undefined> {
  const { name, path } = file
  if (file.folder === 'linked')
    return { name, path, format: 'unknown', diagnostics: [], note: folderNotes[file.folder] }
  if (file.folder !== undefined) return failed(file, 'unreadable', folderNotes[file.folder])
  const read = await readText(file.path, io)
  const isExpected = file.named || /\.(?:oatf|agf)\.(?:yaml|yml|json)$/i.test(name)
  if (!read.ok) {
    if (isExpected) return { name, path, format: 'unknown', diagnostics: [read.error] }
    return { name, path, format: 'unknown', diagnostics: [], note: `not checked: ${read.error.message}` }
  }
  const text = read.value
  if (!isExpected && !mayBeDocument(text)) return undefined
  if (options.projectFaults !== undefined && file.named && PROJECT.test(name)) {
    const source = readSource(text)
    const diagnostics = source.ok ? await options.projectFaults(source.value) : source.error
    return { name, path, format: 'unknown', text, diagnostics }
  }
  const loaded = await loadOnDemand(text, { strict: options.strict })
  if (loaded.ok) {
    const { warnings: diagnostics } = loaded.value
    const report = { name, path, format: 'oatf', diagnostics } as const
    if (options.findingsOnly === true) return diagnostics.length === 0 ? report : { ...report, text }
    return { ...report, text, attack: loaded.value }
  }
  if (!isAgent(file, text)) return refused(file, text, loaded.error, isExpected)
  return options.withoutAgents === undefined ? { file, agent: text } : leftAlone(file, text, options.withoutAgents)
}

const PROJECT = /(?:^|\/)joust\.ya?ml$/

function refused(
  file: InputFile,
  text: string,
  errors: readonly Diagnostic[],
  isExpected: boolean,
): FileReport | undefined {
  const { name, path } = file
  const format = formatOf(text)
  if (format === 'unknown' && !isExpected) return undefined
  const readable = errors.every((error) => error.code !== 'syntax')
  if (format === 'unknown' && readable && isUnrelated(text))
    return failed(file, 'not-oatf', expectation(text), format, text)
  return { name, path, format, text, diagnostics: errors }
}

function isAgent({ name }: InputFile, text: string): boolean {
  const format = formatOf(text)
  return format === 'agent-format' || (format === 'unknown' && /\.agf\.(?:yaml|yml|json)$/i.test(name))
}

function leftAlone(file: InputFile, text: string, reason: string): FileReport {
  const { name, path, named } = file
  if (named) return failed(file, 'agent-format', reason, 'agent-format', text)
  return { name, path, format: 'agent-format', text, diagnostics: [], note: reason }
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

/** True if a text may be a document. This quick check avoids parsing unrelated files in a folder. */
function mayBeDocument(text: string): boolean {
  return /\boatf\b|\bschema_version\b|\bexecution_policy\b/.test(text)
}

function isUnrelated(text: string): boolean {
  const keys = topLevelKeys(text)
  return keys.length > 0 && keys.every((key) => suggest(key, ['oatf', 'attack']) === undefined)
}

function expectation(text: string): string {
  const keys = topLevelKeys(text)
  const some = keys.slice(0, 5).map((key) => JSON.stringify(cut(key, 40)))
  const more = keys.length > 5 ? ', …' : ''
  return `not an attack document or agent file: expected the top-level keys "oatf" and "attack", or those of an agent, got ${some.join(', ')}${more}`
}

export function dialectsAsErrors(report: FileReport): FileReport {
  const diagnostics = report.diagnostics.map((found) =>
    isTranslation(found) ? { ...found, severity: 'error' as const } : found,
  )
  return { ...report, diagnostics }
}
