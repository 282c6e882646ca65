/** Reads every document that an entry leads to, each once, and keeps what could not be read as findings. */
import { err, messageOf, ok, type Path, type Result } from '@joust/source'
import type { SourceReader, SourceRef } from '../model/agent.ts'
import type { AgentDiagnostic } from '../model/diagnostic.ts'
import type { AgentDocument, LocalAgent } from '../model/document.ts'
import { locate } from '../model/origin.ts'
import { quote } from '../model/quote.ts'

/** A parsed text. */
interface ParsedText {
  /** Absent when the text is not an agent. */
  readonly document?: AgentDocument
  /** What was taken out of the document, if it did not have its shape. */
  readonly lost?: readonly string[]
  readonly diagnostics: readonly AgentDiagnostic[]
}

interface ReadGraphOptions {
  readonly read: SourceReader
  readonly parse: (text: string, file: string) => ParsedText
  /** More documents than this are refused: otherwise a reader could go on forever. */
  readonly most: number
}

/** One document of a graph. */
export interface GraphDocument extends ParsedText {
  readonly id: string
  readonly diagnostics: AgentDiagnostic[]
  /** Its sub-agents: what they are called and which document each is. */
  readonly references: { readonly alias: string; readonly id: string; readonly path: Path }[]
}

/** The documents of a graph by id, in the order they were found; the entry first. */
export type GraphDocuments = ReadonlyMap<string, GraphDocument>

/** A document that is still to be read, and who names it. */
interface Wanted {
  readonly id: string
  readonly entry: LocalAgent
  readonly from: GraphDocument
  readonly path: Path
}

/** Reads a graph level by level. */
export async function readGraph(entry: string, options: ReadGraphOptions): Promise<GraphDocuments> {
  const found = new Map<string, GraphDocument>()
  const first = await readText(() => options.read({ source: entry, sourceType: 'file' }))
  if ('reason' in first) {
    const message = `${quote(entry)} cannot be read: ${first.reason}`
    const failure = { severity: 'error', code: 'unresolvable_source', rule: 'OPEN-45', message, file: entry } as const
    return found.set(entry, { id: entry, diagnostics: [failure], references: [] })
  }
  const files = new Set([entry])
  let level = [addDocument(found, entry, first.text, options)]
  while (level.length > 0) {
    const wanted = level.flatMap((node) => referencesOf(node, graphFolder(entry), files))
    level = await readLevel(wanted, found, options)
  }
  return found
}

/** Reads what a level asks for: each new document once, however many name it. */
async function readLevel(
  wanted: readonly Wanted[],
  found: Map<string, GraphDocument>,
  options: ReadGraphOptions,
): Promise<GraphDocument[]> {
  const fresh = new Map<string, Wanted>()
  for (const want of wanted) {
    if (found.has(want.id) || fresh.has(want.id)) continue
    if (found.size + fresh.size < options.most) fresh.set(want.id, want)
    else unresolvable(want, `the graph has more than ${options.most} documents`)
  }
  const texts = await Promise.all(
    [...fresh.values()].map(({ entry, from }) =>
      readText(() => options.read({ source: entry.source, sourceType: typeOf(entry), from: from.id })),
    ),
  )
  const reasons = new Map<string, string>()
  const added: GraphDocument[] = []
  for (const [index, id] of [...fresh.keys()].entries()) {
    const text = texts[index]
    if (text === undefined) continue
    if ('reason' in text) reasons.set(id, text.reason)
    else added.push(addDocument(found, id, text.text, options))
  }
  for (const want of wanted) {
    const reason = reasons.get(want.id)
    if (reason !== undefined) unresolvable(want, reason)
  }
  return added
}

function addDocument(
  found: Map<string, GraphDocument>,
  id: string,
  text: string,
  { parse }: ReadGraphOptions,
): GraphDocument {
  const parsed = parse(text, id)
  const node = { id, ...parsed, diagnostics: [...parsed.diagnostics], references: [] }
  found.set(id, node)
  return node
}

/** The sub-agents of a document. References that can be followed are kept in it, the others become findings. */
function referencesOf(from: GraphDocument, folder: string, files: Set<string>): Wanted[] {
  return (from.document?.action_space?.local_agents ?? []).flatMap((entry, index) => {
    const path = ['action_space', 'local_agents', index, 'source']
    const sourceType = typeOf(entry)
    const id = sourceId({ source: entry.source, sourceType, from: from.id }, folder, files.has(from.id))
    if (!id.ok) {
      unresolvable({ id: '', entry, from, path }, id.error)
      return []
    }
    if (sourceType === 'file') files.add(id.value)
    from.references.push({ alias: entry.alias, id: id.value, path })
    return [{ id: id.value, entry, from, path }]
  })
}

function typeOf(entry: LocalAgent): string {
  return entry.source_type ?? 'file'
}

function unresolvable({ entry, from, path }: Wanted, reason: string): void {
  if (from.document === undefined) return
  from.diagnostics.push({
    severity: 'error',
    code: 'unresolvable_source',
    rule: 'OPEN-45',
    message: `${quote(entry.source)} cannot be read: ${reason}`,
    ...locate(from.document, path),
  })
}

/** Whatever a reader does wrong is a finding about the reference. */
async function readText(read: () => Promise<string>): Promise<{ text: string } | { reason: string }> {
  try {
    const text: unknown = await read()
    return typeof text === 'string' ? { text } : { reason: 'the reader gave no text' }
  } catch (error) {
    return { reason: messageOf(error) }
  }
}

/** The folder that a graph lives in: the entry up to its last slash. */
export function graphFolder(entry: string): string {
  return entry.slice(0, entry.lastIndexOf('/') + 1)
}

/**
 * OPEN-45: the id under which a document is known, or why the reference cannot be followed. Files are relative to the
 * one that names them and stay below the entry's folder. `fromFile`: a file names it.
 */
export function sourceId(ref: Required<SourceRef>, folder: string, fromFile: boolean): Result<string, string> {
  const { source, sourceType, from } = ref
  if (sourceType !== 'file') return ok(`${sourceType}:${source}`)
  if (!fromFile)
    return err('a file is named relative to the file that names it, and this agent does not come from a file')
  const fault = fileFault(source)
  if (fault !== undefined) return err(fault)
  const steps = from.slice(folder.length).split('/').slice(0, -1)
  for (const step of source.split('/')) {
    if (step === '' || step === '.') continue
    if (step !== '..') steps.push(step)
    else if (steps.pop() === undefined) return err('the path leads outside the folder of the first document')
  }
  return ok(folder + steps.join('/'))
}

function fileFault(source: string): string | undefined {
  if (source.startsWith('/')) return 'the path is absolute; name the file relative to this one'
  // A scheme of two letters or more is a URL, one letter a Windows drive.
  if (/^[a-zA-Z][a-zA-Z0-9+.-]*:/.test(source)) return 'a file is named by a relative path, not by a URL or a drive'
  if (source.includes('\\')) return 'folders are separated by "/", not by a backslash'
  return source.includes('\0') ? 'the path holds a null character' : undefined
}
