/** What is wrong with a file, or will not work: what the command says, as one types. */
import { lintOnDemand, loadOnDemand, loadSourceOnDemand } from '@joust/oatf/on-demand'
import { parsePath } from '@joust/oatf/vocabulary'
import {
  checkShape,
  type Diagnostic,
  defined,
  messageWithHint,
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

/** The findings in the order of the text; of a file that is wrong all through, the first ones. */
export async function diagnose(context: Context): Promise<Finding[]> {
  const found = await diagnostics(context)
  const rangeOf = rangesIn(context)
  return sortByPosition(found)
    .slice(0, languageLimits.findings)
    .map((one) => findingOf(one, rangeOf(one)))
}

async function diagnostics(context: Context): Promise<readonly Diagnostic[]> {
  if (context.kind === 'oatf') return ofAttack(context)
  if (context.kind === 'agent') return ofAgent(context)
  return context.kind === 'project' && context.options.project !== undefined
    ? ofProject(context, context.options.project)
    : []
}

/** Advice is for documents that are valid. */
async function ofAttack({ file, reading: { source } }: Context): Promise<readonly Diagnostic[]> {
  const loaded = await (source === undefined ? loadOnDemand(file.text) : loadSourceOnDemand(source))
  if (!loaded.ok) return loaded.error
  return [...loaded.value.warnings, ...(await lintOnDemand(loaded.value.written))]
}

/** An agent is checked with everything that it leads to; what is wrong elsewhere is reported there. */
async function ofAgent(context: Context): Promise<readonly Diagnostic[]> {
  const { file, options } = context
  const loaded = await loadGraph(context)
  const found = (loaded.ok ? loaded.value.warnings : loaded.error).filter((one) => one.file === file.name)
  if (options.read === undefined) return found.filter(({ code }) => code !== UNREAD)
  if (!found.some(({ code }) => code === UNREAD)) return found
  const files = await agentFiles(context)
  return found.map((one) =>
    one.code === UNREAD ? { ...one, ...suggestion('value', meantFile(context, one, files)) } : one,
  )
}

const UNREAD = 'unresolvable_source'

function meantFile({ reading }: Context, { path = '' }: Diagnostic, files: readonly string[]): string | undefined {
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

function findingOf(found: Diagnostic, range: Span): Finding {
  const { severity, code, path, spec_ref, suggestion: meant } = found
  const message = messageWithHint(found)
  return defined({ severity, code, message, range, path, section: spec_ref || undefined, suggestion: meant })
}

/**
 * Lines and columns as offsets: a finding about a whole block, or about an empty value, is put at its key; others stay
 * on their line.
 */
function rangesIn({ file: { text }, reading }: Context): (found: Diagnostic) => Span {
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
