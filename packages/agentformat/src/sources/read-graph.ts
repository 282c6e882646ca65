/** Reads every document of a graph once. Failures become diagnostics (Agent Format OPEN-45). */
import { err, errorCode, messageOf, ok, type Path, type Result } from '@joust/source'
import type { SourceReader, SourceRef } from '../model/agent.ts'
import type { AgentDiagnostic } from '../model/diagnostic.ts'
import type { AgentDocument, LocalAgent } from '../model/document.ts'
import { locate } from '../model/origin.ts'
import { quote } from '../model/quote.ts'

interface ParsedText {
  /** Undefined if the text is not an agent document. */
  readonly document?: AgentDocument
  /** Fields removed from a document that did not match the schema. */
  readonly lost?: readonly string[]
  readonly diagnostics: readonly AgentDiagnostic[]
}

interface ReadGraphOptions {
  readonly read: SourceReader
  readonly parse: (text: string, file: string) => ParsedText
  /** The maximum number of documents. A hostile reader could generate documents endlessly. */
  readonly most: number
  /** The folder that must contain all files. */
  readonly folder: string
}

export interface GraphDocument extends ParsedText {
  readonly id: string
  readonly diagnostics: AgentDiagnostic[]
  /** Sub-agents by alias and document id. */
  readonly references: { readonly alias: string; readonly id: string; readonly path: Path }[]
}

/** Documents by id, in breadth-first order. */
export type GraphDocuments = ReadonlyMap<string, GraphDocument>

const OUTSIDE_FOLDER = 'outside_folder'

type SourceFault = Pick<AgentDiagnostic, 'message' | 'reason'>

interface Request {
  readonly id: string
  readonly entry: LocalAgent
  readonly from: GraphDocument
  readonly path: Path
}

/** Reads a graph level by level. */
export async function readGraph(entry: string, options: ReadGraphOptions): Promise<GraphDocuments> {
  const documents = new Map<string, GraphDocument>()
  const first = await readText(() => options.read({ source: entry, sourceType: 'file' }))
  if ('message' in first) {
    const message = `${quote(entry)} cannot be read: ${first.message}`
    const failure = { severity: 'error', code: 'unresolvable_source', rule: 'OPEN-45', message, file: entry } as const
    return documents.set(entry, { id: entry, diagnostics: [failure], references: [] })
  }
  const files = new Set([entry])
  let level = [addDocument(documents, entry, first.text, options)]
  while (level.length > 0) {
    const requests = level.flatMap((node) => referencesOf(node, options.folder, files))
    level = await readLevel(requests, documents, options)
  }
  return documents
}

async function readLevel(
  requests: readonly Request[],
  documents: Map<string, GraphDocument>,
  options: ReadGraphOptions,
): Promise<GraphDocument[]> {
  const fresh = new Map<string, Request>()
  for (const request of requests) {
    if (documents.has(request.id) || fresh.has(request.id)) continue
    if (documents.size + fresh.size < options.most) fresh.set(request.id, request)
    else unresolvable(request, { message: `the graph has more than ${options.most} documents` })
  }
  const texts = await Promise.all(
    [...fresh.values()].map(({ entry, from }) =>
      readText(() => options.read({ source: entry.source, sourceType: typeOf(entry), from: from.id })),
    ),
  )
  const faults = new Map<string, SourceFault>()
  const added: GraphDocument[] = []
  for (const [index, id] of [...fresh.keys()].entries()) {
    const text = texts[index]
    if (text === undefined) continue
    if ('message' in text) faults.set(id, text)
    else added.push(addDocument(documents, id, text.text, options))
  }
  for (const request of requests) {
    const fault = faults.get(request.id)
    if (fault !== undefined) unresolvable(request, fault)
  }
  return added
}

function addDocument(
  documents: Map<string, GraphDocument>,
  id: string,
  text: string,
  { parse }: ReadGraphOptions,
): GraphDocument {
  const parsed = parse(text, id)
  const node = { id, ...parsed, diagnostics: [...parsed.diagnostics], references: [] }
  documents.set(id, node)
  return node
}

/** Returns the sub-agents of a document. Valid references are added to the document, the others become diagnostics. */
function referencesOf(from: GraphDocument, folder: string, files: Set<string>): Request[] {
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

function unresolvable({ entry, from, path }: Request, { message, ...reason }: SourceFault): void {
  if (from.document === undefined) return
  from.diagnostics.push({
    severity: 'error',
    code: 'unresolvable_source',
    rule: 'OPEN-45',
    message: `${quote(entry.source)} cannot be read: ${message}`,
    ...reason,
    ...locate(from.document, path),
  })
}

/** Calls the reader. Any failure becomes an error. */
async function readText(read: () => Promise<string>): Promise<{ text: string } | SourceFault> {
  try {
    const text: unknown = await read()
    return typeof text === 'string' ? { text } : { message: 'the reader did not return a string' }
  } catch (error) {
    return { message: messageOf(error), ...(errorCode(error) === OUTSIDE_FOLDER && { reason: OUTSIDE_FOLDER }) }
  }
}

/** Returns the folder of a graph: the entry path up to its last slash. */
export function graphFolder(entry: string): string {
  return entry.slice(0, entry.lastIndexOf('/') + 1)
}

/**
 * Returns the id of a document, or the reason why the reference is invalid (OPEN-45). Paths are relative to the
 * referring document and must stay below `folder`. `fromFile` is true if the referring document is a file.
 */
export function sourceId(ref: Required<SourceRef>, folder: string, fromFile: boolean): Result<string, SourceFault> {
  const { source, sourceType, from } = ref
  if (sourceType !== 'file') return ok(`${sourceType}:${source}`)
  if (!fromFile) return err({ message: 'a relative path requires an agent that was loaded from a file' })
  const error = fileError(source)
  if (error !== undefined) return err({ message: error })
  const steps = from.slice(folder.length).split('/').slice(0, -1)
  for (const step of source.split('/')) {
    if (step === '' || step === '.') continue
    if (step !== '..') steps.push(step)
    else if (steps.pop() === undefined)
      return err({ message: 'the path is outside the folder of the first document', reason: OUTSIDE_FOLDER })
  }
  return ok(folder + steps.join('/'))
}

function fileError(source: string): string | undefined {
  if (source.startsWith('/')) return 'the path is absolute; use a path relative to this file'
  // A scheme of two or more letters is a URL, a single letter is a Windows drive.
  if (/^[a-zA-Z][a-zA-Z0-9+.-]*:/.test(source)) return 'expected a relative path, got a URL or a drive'
  if (source.includes('\\')) return 'use "/" instead of a backslash'
  return source.includes('\0') ? 'the path contains a null character' : undefined
}
