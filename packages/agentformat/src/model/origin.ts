/** Which text a document was parsed from, kept beside the document so that findings can carry positions. */
import { formatPath, type Location, type Path, type Source } from '@joust/source'
import type { AgentDocument } from './document.ts'

const ORIGIN = Symbol('origin')

interface Origin {
  readonly source: Source
  readonly file?: string
}

/** Remembers the source and the file of a document. Invisible to loops, JSON, spreads and equality. */
export function setOrigin(document: AgentDocument, source: Source, file?: string): AgentDocument {
  const origin: Origin = file === undefined ? { source } : { source, file }
  Object.defineProperty(document, ORIGIN, { value: origin, enumerable: false, configurable: true })
  return document
}

/** The source of a parsed document; undefined for one that was built. */
export function originOf(document: AgentDocument): Source | undefined {
  return readOrigin(document)?.source
}

/** Where something is in a document. */
export type FileLocation = Partial<Location> & { readonly file?: string; readonly path: string }

/** The place of a path, to be spread into a finding; of its key rather than its value on request. */
export function locate(document: AgentDocument, path: Path, at?: 'key'): FileLocation {
  const origin = readOrigin(document)
  return origin === undefined ? { path: formatPath(path) } : placeIn(origin.source, origin.file, path, at)
}

/** The same for a text that has not become a document. */
export function placeIn(source: Source, file: string | undefined, path: Path, at?: 'key'): FileLocation {
  const location = at === 'key' ? source.locateKey(path) : source.locate(path)
  return { ...(file === undefined ? {} : { file }), path: formatPath(path), ...location }
}

function readOrigin(document: AgentDocument): Origin | undefined {
  if (typeof document !== 'object' || document === null) return undefined
  return (document as { readonly [ORIGIN]?: Origin })[ORIGIN]
}
