/** How a planted thing is recognized on the wire. */
import { isList, isRecord, type Value } from '@joust/source'
import { splitTemplate, type TemplatePart } from '../primitives/template.ts'

/** Recognizes a planted thing among what was sent. */
export interface Mark {
  /** Whether one of these texts shows that it was sent. */
  seenIn(sent: SentTexts): boolean
  /** Whether it is nothing but templates, so that any text may be it. */
  readonly isOpen: boolean
}

/** What an actor has sent so far. */
export interface SentTexts {
  /** Every text of a message. */
  readonly texts: ReadonlySet<string>
  /** Everything else that is neither a list nor a mapping, with its key. */
  readonly scalars: ReadonlySet<string>
}

/** Keys whose values are the protocol's words, not the attacker's. */
const structural: ReadonlySet<string> = new Set([
  'type',
  'role',
  'kind',
  'mimeType',
  'id',
  'method',
  'messageId',
  'threadId',
  'runId',
])

/**
 * The mark of a value: its longest text, whatever its templates stand for. A value of nothing but templates is marked
 * by any message, one without texts by all that it holds.
 */
export function markOf(value: Value): Mark | undefined {
  const { texts, scalars } = leavesOf(value, structural)
  const templates = texts.map(splitTemplate).filter((parts) => parts.length > 0)
  const [longest] = templates.sort((a, b) => fixedLength(b) - fixedLength(a))
  if (longest !== undefined)
    return { seenIn: (sent) => isSeen(longest, sent.texts), isOpen: fixedLength(longest) === 0 }
  if (scalars.length === 0) return undefined
  return { seenIn: (sent) => scalars.every((scalar) => sent.scalars.has(scalar)), isOpen: false }
}

/** Every text and every other scalar of a value. Iterative: a message may be deep. */
export function leavesOf(
  value: Value,
  without: ReadonlySet<string> = new Set(),
): { readonly texts: string[]; readonly scalars: string[] } {
  const texts: string[] = []
  const scalars: string[] = []
  const pending: { readonly key: string; readonly value: Value }[] = [{ key: '', value }]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { key, value: here } = next
    if (typeof here === 'string') {
      if (!without.has(key)) texts.push(here)
    } else if (isList(here)) for (const item of here) pending.push({ key, value: item })
    else if (isRecord(here)) for (const [name, item] of Object.entries(here)) pending.push({ key: name, value: item })
    else scalars.push(`${key} ${String(here)}`)
  }
  return { texts, scalars }
}

function fixedLength(parts: readonly TemplatePart[]): number {
  return parts.reduce((sum, part) => sum + (part.kind === 'text' ? part.text.length : 0), 0)
}

/** Whether one of the texts is what the template makes, or the JSON of something that holds it. */
function isSeen(parts: readonly TemplatePart[], texts: ReadonlySet<string>): boolean {
  for (const text of texts) {
    if (fits(text, parts, true)) return true
    if (/^\s*[[{"]/.test(text) && fits(text, parts.map(asJson), false)) return true
  }
  return false
}

function asJson(part: TemplatePart): TemplatePart {
  return part.kind === 'text' ? { ...part, text: JSON.stringify(part.text).slice(1, -1) } : part
}

/** `whole`: nothing but what references stand for comes before or after. */
function fits(text: string, parts: readonly TemplatePart[], whole: boolean): boolean {
  let from = 0
  let open = !whole
  for (const part of parts) {
    if (part.kind !== 'text') {
      open = true
      continue
    }
    const at = text.indexOf(part.text, from)
    if (at < 0 || (!open && at > from)) return false
    from = at + part.text.length
    open = false
  }
  return open || !whole || from === text.length
}
