/** Attaches the source text to a document, so that diagnostics have positions. */
import { formatPath, type Location, type Path, type Source } from '@joust/source'
import type { AgentDocument } from './document.ts'

const ORIGIN = Symbol('origin')

interface Origin {
  readonly source: Source
  readonly file?: string
}

/** Attaches the source and file name to a document, in a way that loops, JSON, spreads and equality ignore. */
export function setOrigin(document: AgentDocument, source: Source, file?: string): AgentDocument {
  const origin: Origin = file === undefined ? { source } : { source, file }
  Object.defineProperty(document, ORIGIN, { value: origin, enumerable: false, configurable: true })
  return document
}

/**
 * Returns the source of a parsed document, or undefined for a document built in memory.
 *
 * @example
 * const source = originOf(loadedAgent.agent.document)
 */
export function originOf(document: AgentDocument): Source | undefined {
  return readOrigin(document)?.source
}

/** A location in a document, with its file. */
export type FileLocation = Partial<Location> & { readonly file?: string; readonly path: string }

/**
 * Returns the location of the key or value at a path, to be spread into a diagnostic.
 *
 * @example
 * const { file, line } = locate(loadedAgent.agent.document, ['execution_policy', 'id'])
 */
export function locate(document: AgentDocument, path: Path, at?: 'key'): FileLocation {
  const origin = readOrigin(document)
  return origin === undefined ? { path: formatPath(path) } : placeIn(origin.source, origin.file, path, at)
}

export function placeIn(source: Source, file: string | undefined, path: Path, at?: 'key'): FileLocation {
  const location = at === 'key' ? source.locateKey(path) : source.locate(path)
  return { ...(file === undefined ? {} : { file }), path: formatPath(path), ...location }
}

function readOrigin(document: AgentDocument): Origin | undefined {
  if (typeof document !== 'object' || document === null) return undefined
  return (document as { readonly [ORIGIN]?: Origin })[ORIGIN]
}
