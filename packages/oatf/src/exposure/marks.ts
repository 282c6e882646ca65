/** By what a planted thing is known on the wire. */
import { isList, isRecord, type Value } from '@joust/source'
import { splitTemplate } from '../primitives/template.ts'

/** Recognizes a planted thing among what was sent. */
export interface Mark {
  /** Whether one of these texts shows that it was sent. */
  seenIn(sent: SentTexts): boolean
}

/** What an actor has sent so far. */
interface SentTexts {
  /** Every text of a message. */
  readonly texts: ReadonlySet<string>
  /** Everything else that is no list and no mapping, with the key that it stands under. */
  readonly scalars: ReadonlySet<string>
}

/** The mark of a value: its longest text, as it comes out whatever its templates stand for; without texts, all it holds. */
export function markOf(value: Value): Mark | undefined {
  const { texts, scalars } = leavesOf(value)
  const candidates = texts.map(fixedParts).filter((parts) => lengthOf(parts) > 0)
  const [longest] = candidates.sort((a, b) => lengthOf(b) - lengthOf(a))
  if (longest !== undefined) return { seenIn: (sent) => isSeen(longest, sent.texts) }
  if (scalars.length === 0) return undefined
  return { seenIn: (sent) => scalars.every((scalar) => sent.scalars.has(scalar)) }
}

/** Every text and every other scalar of a value. Iterative: a message may be deep. */
export function leavesOf(value: Value): { readonly texts: string[]; readonly scalars: string[] } {
  const texts: string[] = []
  const scalars: string[] = []
  const pending: { readonly key: string; readonly value: Value }[] = [{ key: '', value }]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { key, value: here } = next
    if (typeof here === 'string') texts.push(here)
    else if (isList(here)) for (const item of here) pending.push({ key, value: item })
    else if (isRecord(here)) for (const [name, item] of Object.entries(here)) pending.push({ key: name, value: item })
    else scalars.push(`${key} ${String(here)}`)
  }
  return { texts, scalars }
}

/** What of a text stands fast: all of it, or the pieces between its templates. */
function fixedParts(text: string): string[] {
  if (!text.includes('{{')) return [text]
  return splitTemplate(text).flatMap((part) => (part.kind === 'text' ? [part.text] : []))
}

function lengthOf(parts: readonly string[]): number {
  return parts.reduce((sum, part) => sum + part.length, 0)
}

function isSeen(parts: readonly string[], texts: ReadonlySet<string>): boolean {
  const [only, ...more] = parts
  if (only !== undefined && more.length === 0 && texts.has(only)) return true
  for (const text of texts) if (holdsInOrder(text, parts)) return true
  return false
}

function holdsInOrder(text: string, parts: readonly string[]): boolean {
  let from = 0
  for (const part of parts) {
    // A result may be sent as the text of its JSON.
    const written = [part, JSON.stringify(part).slice(1, -1)].find((form) => text.includes(form, from))
    if (written === undefined) return false
    from = text.indexOf(written, from) + written.length
  }
  return true
}
