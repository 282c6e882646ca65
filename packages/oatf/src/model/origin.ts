/** The source of a parsed document, stored separately so that findings have positions. */
import type { Source } from '@joust/source'
import type { Document } from './document.ts'

const ORIGIN = Symbol('origin')

/** Stores the source of a document, invisible to loops, JSON, spreads and equality. */
export function setOrigin(document: Document, source: Source): Document {
  Object.defineProperty(document, ORIGIN, { value: source, enumerable: false, configurable: true })
  return document
}

/** Returns the source of a parsed document; undefined if it was built in memory or normalized. */
export function originOf(document: Document): Source | undefined {
  if (typeof document !== 'object' || document === null) return undefined
  return (document as { readonly [ORIGIN]?: Source })[ORIGIN]
}
