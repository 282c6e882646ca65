import { loadOnDemand } from '@joust/oatf/on-demand'
import {
  checkShape,
  type Diagnostic,
  defined,
  messageWithHint,
  parsePath,
  readSource,
  type Span,
  shapeDiagnostic,
  sortByPosition,
  suggest,
  suggestion,
  toDoubles,
} from '@joust/source'
import type { Context } from '../context.ts'
import { agentFiles, loadGraph } from '../documents/agent-files.ts'
import type { Finding, LanguageOptions } from '../model.ts'
import type { Entry } from '../text/entry.ts'
import { languageLimits } from '../text/limits.ts'
import { textAt } from '../text/reading.ts'

/** Returns the diagnostics that `joust validate` and `joust lint` report, in text order, up to a limit. */
export async function diagnose(context: Context): Promise<Finding[]> {
  const all = await diagnostics(context)
  const rangeOf = rangesIn(context)
  return sortByPosition(all)
    .slice(0, languageLimits.findings)
    .map((diagnostic) => findingOf(diagnostic, rangeOf(diagnostic)))
}

async function diagnostics(context: Context): Promise<readonly Diagnostic[]> {
  const { project } = context.options
  if (context.kind === 'oatf') return ofAttack(context)
  if (context.kind === 'agent') return ofAgent(context)
  return context.kind === 'project' && project !== undefined ? ofProject(context, project) : []
}

/** Returns the diagnostics of an attack, including lint findings only if the attack is valid. */
async function ofAttack({ file, reading: { source } }: Context): Promise<readonly Diagnostic[]> {
  const loaded = await loadOnDemand(source ?? file.text)
  return loaded.ok ? [...loaded.value.warnings, ...loaded.value.lint] : loaded.error
}

/** Checks an agent with its sub-agents, but returns only the diagnostics of this file. */
async function ofAgent(context: Context): Promise<readonly Diagnostic[]> {
  const { file, options } = context
  const loaded = await loadGraph(context)
  const all = loaded.ok ? loaded.value.warnings : loaded.error
  const own = all.filter((diagnostic) => diagnostic.file === file.name)
  if (options.read === undefined) return own.filter(({ code }) => code !== UNREAD)
  if (!own.some(({ code }) => code === UNREAD)) return own
  const files = await agentFiles(context)
  return own.map((diagnostic) =>
    diagnostic.code === UNREAD
      ? { ...diagnostic, ...suggestion('value', similarFile(context, diagnostic, files)) }
      : diagnostic,
  )
}

const UNREAD = 'unresolvable_source'

function similarFile({ reading }: Context, { path = '' }: Diagnostic, files: readonly string[]): string | undefined {
  const source = textAt(reading.value, parsePath(path) ?? [])
  return source === undefined ? undefined : suggest(source, files)
}

async function ofProject(
  { file }: Context,
  { shape, check }: NonNullable<LanguageOptions['project']>,
): Promise<readonly Diagnostic[]> {
  const read = readSource(file.text)
  if (!read.ok) return read.error
  if (check !== undefined) return check(read.value, file.name)
  const faults = checkShape(toDoubles(read.value.value), shape, languageLimits.findings)
  return faults.map((fault) => shapeDiagnostic(read.value, fault, 'project'))
}

function findingOf(diagnostic: Diagnostic, range: Span): Finding {
  const { severity, code, path, spec_ref, suggestion: correction } = diagnostic
  const message = messageWithHint(diagnostic)
  return defined({ severity, code, message, range, path, section: spec_ref || undefined, suggestion: correction })
}

/** Converts positions to ranges: the key for a block or an empty value, otherwise the rest of the line. */
function rangesIn({ file: { text }, reading }: Context): (diagnostic: Diagnostic) => Span {
  const starts = [text.startsWith('\ufeff') ? 1 : 0]
  for (const { index, 0: feed } of text.matchAll(/\r\n|\n|\r/g)) starts.push(index + feed.length)
  let entries: ReadonlyMap<number, Entry> | undefined
  return ({ line = 1, column = 1, end_column }) => {
    const from = starts[line - 1] ?? text.length
    const start = Math.min(from + column - 1, text.length)
    if (end_column !== undefined) return { start, end: Math.min(from + end_column - 1, text.length) }
    entries ??= new Map(reading.entries.map((entry) => [entry.value.start, entry]))
    const entry = entries.get(start)
    if (entry?.form === 'empty') return entry.key ?? { start: entry.start, end: entry.value.end }
    if (entry?.form === 'block' && entry.key !== undefined) return entry.key
    const rest = start + (/^[^\r\n]*/.exec(text.slice(start))?.[0].trimEnd().length ?? 0)
    return { start, end: entry === undefined ? rest : Math.min(rest, entry.value.end) }
  }
}
