import { cloneValue, isRecord, requireTree } from '@joust/source'
import type { Document } from './model/document.ts'
import type { NormalDocument } from './model/normal.ts'
import type { Draft } from './steps/step.ts'
import { stepTable } from './steps/table.ts'

/**
 * Returns a normalized copy of a valid document, with all defaults and shorthands expanded ([OATF SDK
 * §3.3](https://oatf.io/sdk/entry-points/)). Call `validate` first. Idempotent. Throws `NotATree` for a value that is
 * too deep, too large or circular, because the return type cannot express an error.
 *
 * @example
 * const { attack } = normalize(unwrap(parse(text), text))
 * console.log(attack.indicators?.map(({ id, protocol }) => `${id} ${protocol}`))
 */
export function normalize(document: Document): NormalDocument {
  requireTree(document)
  return normalForm(document)
}

/** Like `normalize`, but for a document parsed from text, which is always a tree. */
export function normalForm(document: Document): NormalDocument {
  const draft = cloneValue(document)
  // A document is a mapping, and the steps check every value before they change it.
  if (isRecord(draft)) for (const step of stepTable) step.apply(draft as unknown as Draft)
  return draft as NormalDocument
}
