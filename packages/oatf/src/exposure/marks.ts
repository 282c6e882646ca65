/** How a planted thing is recognized on the wire. */
import { isList, isRecord, own, type Path, parseJson, type Value, valueAt } from '@joust/source'
import { splitTemplate, type TemplatePart } from '../primitives/template.ts'

/** Whether a thing is there; `empty` where a template in it stands for nothing. */
type Seen = 'whole' | 'empty' | 'no'

/** Recognizes a planted thing among what was sent. */
export interface Mark {
  /** Whether one of these values is what the thing looks like on the wire. */
  seenIn(sent: readonly SentValue[]): Seen
  /** Whether it is nothing but templates, so that any text may be it. */
  readonly isOpen: boolean
  /** How much of it is fixed. */
  readonly weight: number
}

/** A value of a message, and its key; values in lists have the key of the list. */
export interface SentValue {
  readonly key: string
  readonly value: Value
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

/** What is not on the wire as it is written, or on the wire of everything. */
const isLeftOut = (key: string, value: Value) =>
  key.startsWith('x-joust-') || (structural.has(key) && !isRecord(value) && !isList(value))

/**
 * The mark of a value: a message holds all of it in one place, whatever its templates stand for, and may hold more.
 * `key` is where the value stands; `part` leads to what has to be there to speak of. Undefined when there is nothing to
 * recognize it by.
 */
export function markOf(value: Value, key = '', part: Path = []): Mark | undefined {
  const named = valueAt(value, part)
  if (named === undefined || !isSubstantial(named)) return undefined
  const { texts, scalars } = leavesOf(value, structural)
  const fixed = texts.reduce((sum, text) => sum + fixedLength(splitTemplate(text)), 0)
  const isOpen = texts.length > 0 && fixed === 0
  /** A bare template would be any text, such as an id; it is the one in its place. */
  const isPlace = (place: string) => !isOpen || typeof value !== 'string' || place === key || place === ''
  return {
    seenIn(sent) {
      const there = sent.filter((one) => isPlace(one.key) && fits(value, one.value))
      const isWhole = there.some((one) => fits(named, valueAt(one.value, part), true))
      return isWhole ? 'whole' : there.length > 0 ? 'empty' : 'no'
    },
    isOpen,
    weight: fixed + texts.length + scalars.length,
  }
}

/** Whether a value has a text, or something else where it has no texts at all. */
function isSubstantial(value: Value): boolean {
  const { texts, scalars } = leavesOf(value, structural)
  return texts.length > 0 ? texts.some((text) => text.trim() !== '') : scalars.length > 0
}

/** Every value of a message, and of its texts that are JSON: some results are sent as text. */
export function valuesIn(content: Value): SentValue[] {
  const values: SentValue[] = [{ key: '', value: content }]
  const read: SentValue[] = []
  const expand = (from: SentValue[]) => {
    // The list grows while it is read.
    for (const { key, value } of from) {
      if (isList(value)) for (const item of value) from.push({ key, value: item })
      else if (isRecord(value)) for (const [name, item] of Object.entries(value)) from.push({ key: name, value: item })
    }
  }
  expand(values)
  for (const { key, value } of values) {
    const json = typeof value === 'string' && /^\s*[[{"]/.test(value) ? parseJson(value) : undefined
    if (json !== undefined) read.push({ key, value: json })
  }
  expand(read)
  return values.concat(read)
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
  return parts.reduce((sum, part) => sum + (part.kind === 'reference' ? 0 : part.text.length), 0)
}

/**
 * Whether a value was made from what is written; `filled`: no template stands for nothing. A document is not deep, so
 * this may recurse.
 */
function fits(written: Value, sent: Value | undefined, filled = false): boolean {
  if (sent === undefined) return false
  if (typeof written === 'string') return typeof sent === 'string' && isMade(sent, written, filled)
  if (isList(written)) {
    const isPair = isList(sent) && sent.length === written.length
    return isPair && written.every((item, index) => fits(item, sent[index], filled))
  }
  if (!isRecord(written)) return written === sent
  if (!isRecord(sent)) return false
  return Object.entries(written).every(([key, item]) => isLeftOut(key, item) || fits(item, own(sent, key), filled))
}

/** Whether a text is what a template makes. */
function isMade(text: string, template: string, filled: boolean): boolean {
  if (!template.includes('{{')) return text === template
  if (filled && text.trim() === '') return false
  const parts = splitTemplate(template)
  let from = 0
  let open = false
  for (const [index, part] of parts.entries()) {
    if (part.kind === 'reference') {
      open = true
      // Whatever it stands for begins here, so what follows begins later.
      if (filled) from += 1
      continue
    }
    const isLast = index === parts.length - 1
    const at = open && isLast ? text.length - part.text.length : text.indexOf(part.text, from)
    if (at < from || (!open && at > from) || !text.startsWith(part.text, at)) return false
    from = at + part.text.length
    open = false
  }
  return open ? from <= text.length : from === text.length
}
