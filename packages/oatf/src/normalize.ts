/** SDK §3.3: the canonical, fully expanded form of a valid document. */
import { cloneValue, isRecord, requireTree } from '@joust/source'
import type { Document } from './model/document.ts'
import type { Draft } from './steps/step.ts'
import { stepTable } from './steps/table.ts'

/**
 * A normalized copy; the document itself stays as it is. Normalizing twice changes nothing more. What `validate`
 * refuses as too deep, too large or containing itself is a `NotATree`, which is thrown: the return type has no place
 * for an error.
 */
export function normalize(document: Document): Document {
  requireTree(document)
  return normalForm(document)
}

/** The same for a document that was read from a text, and so is known to be a tree. */
export function normalForm(document: Document): Document {
  const draft = cloneValue(document)
  // A document is a mapping; the steps look before they touch anything.
  if (isRecord(draft)) for (const step of stepTable) step.apply(draft as unknown as Draft)
  return draft
}
