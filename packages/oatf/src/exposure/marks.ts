import { isList, isRecord, own, type Path, parseJson, type Value, valueAt } from '@joust/source'
import { oatfLimits } from '../model/limits.ts'
import { splitTemplate } from '../primitives/template.ts'

export interface Mark {
  /** Searches the values in a message. Returns `empty` if the item was sent with an empty template. */
  seenIn(sent: SentValues): 'whole' | 'empty' | 'no'
  /** Returns the item as written, and the message value that contains the whole item, if any. */
  pairIn(sent: SentValues): { readonly written: Value; readonly sent: Value } | undefined
  /** True for a mark that consists only of templates and therefore matches any text. */
  readonly isOpen: boolean
  readonly weight: number
}

/** A message value with its key. Values in lists have the key of the list. */
interface SentValue {
  readonly key: string
  readonly value: Value
  readonly holder?: SentValue | undefined
}

export interface SentValues {
  readonly all: readonly SentValue[]
  around(text: string): readonly SentValue[]
}

/** Keys whose values are defined by the protocol, not by the attacker. */
// biome-ignore format: a list
export const structural: ReadonlySet<string> = new Set([
  'type', 'role', 'kind', 'mimeType', 'id', 'method', 'messageId', 'threadId', 'runId',
])

/**
 * Creates the mark of a value. It matches a message that contains the whole value at one location, possibly next to
 * other values. `key` is the key of the value in the message. In the value at `part`, no template may be empty. Returns
 * undefined if there is nothing to recognize.
 */
export function markOf(value: Value, key = '', part: Path = []): Mark | undefined {
  const named = valueAt(value, part)
  const leaves = leavesOf(named ?? {}, structural)
  const isBlank = leaves.texts.every((text) => text.trim() === '') && leaves.scalars.length === 0
  if (named === undefined || isBlank) return undefined
  const { texts, scalars } = leavesOf(value, structural)
  const fixed = texts.flatMap(splitTemplate).reduce((sum, one) => sum + (one.kind === 'text' ? one.text.length : 0), 0)
  const isOpen = texts.length > 0 && fixed === 0
  /** Searching near a required text avoids a search of the whole message. */
  const exact = texts.reduce((most, text) => (text.length > most.length && !text.includes('{{') ? text : most), '')
  /** A bare template matches any text, such as an id, so the key must match. */
  const isPlace = (place: string) => !isOpen || typeof value !== 'string' || place === key || place === ''
  const placesIn = (sent: SentValues) => {
    const near = exact === '' ? sent.all : sent.around(exact)
    return near.filter((one) => isPlace(one.key) && fits(value, one.value)).map((one) => valueAt(one.value, part))
  }
  return {
    seenIn(sent) {
      const there = placesIn(sent)
      if (there.some((one) => fits(named, one, true))) return 'whole'
      return there.length > 0 ? 'empty' : 'no'
    },
    pairIn(sent) {
      const whole = placesIn(sent).find((one) => fits(named, one, true))
      return whole === undefined ? undefined : { written: named, sent: whole }
    },
    isOpen,
    weight: fixed + texts.length + scalars.length,
  }
}

/** Returns all values in a message, including those in JSON texts, up to a limit. */
export function valuesIn(content: Value): SentValues {
  const all: SentValue[] = [{ key: '', value: content }]
  const byText = new Map<string, SentValue[]>()
  const add = (key: string, value: Value, holder: SentValue) => {
    if (all.length < oatfLimits.exposureValues) all.push({ key, value, holder })
  }
  // The list grows during the iteration. It ends because the JSON in a text is shorter than the text.
  for (const one of all) {
    const { key, value } = one
    if (typeof value === 'string') {
      const same = byText.get(value)
      if (same === undefined) byText.set(value, [one])
      else same.push(one)
      const read = /^\s*[[{"]/.test(value) ? parseJson(value) : undefined
      if (read !== undefined) add(key, read, one)
    } else if (isList(value)) for (const item of value) add(key, item, one)
    else if (isRecord(value)) for (const [name, item] of Object.entries(value)) add(name, item, one)
  }
  return { all, around: (text) => [...new Set((byText.get(text) ?? []).flatMap(withHolders))] }
}

function withHolders(value: SentValue): SentValue[] {
  const sentValues: SentValue[] = []
  for (let one: SentValue | undefined = value; one !== undefined; one = one.holder) sentValues.push(one)
  return sentValues
}

/** Returns all texts and other scalars in a value. Iterative, because a message may be deep. */
export function leavesOf(
  value: Value,
  without: ReadonlySet<string> = new Set(),
): { readonly texts: string[]; readonly scalars: string[] } {
  const texts: string[] = []
  const scalars: string[] = []
  const pending: SentValue[] = [{ key: '', value }]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { key, value: here } = next
    if (typeof here === 'string') {
      if (!without.has(key)) texts.push(here)
    } else if (isList(here)) for (const item of here) pending.push({ key, value: item })
    else if (isRecord(here)) {
      for (const [name, item] of Object.entries(here))
        if (!isExtensionKey(name)) pending.push({ key: name, value: item })
    } else scalars.push(`${key} ${String(here)}`)
  }
  return { texts, scalars }
}

/** True for the key of a Joust extension. Extensions are not sent. */
export function isExtensionKey(key: string): boolean {
  return key.startsWith('x-joust-')
}

/** True if a sent value may result from a written value. If `filled` is set, templates must not be empty. */
function fits(written: Value, sent: Value | undefined, filled = false): boolean {
  if (typeof written === 'string') return typeof sent === 'string' && canProduce(sent, written, filled)
  if (isList(written))
    return isList(sent) && sent.length === written.length && written.every((item, at) => fits(item, sent[at], filled))
  // Some results are sent as text.
  if (!isRecord(written) || !isRecord(sent)) return written === sent || String(written) === sent
  return Object.entries(written).every(([key, item]) => {
    const isFormal = structural.has(key) && !isRecord(item) && !isList(item)
    return isFormal || isExtensionKey(key) || fits(item, own(sent, key), filled)
  })
}

function canProduce(text: string, template: string, filled: boolean): boolean {
  if (!template.includes('{{')) return text === template
  if (filled && text.trim() === '') return false
  const parts = splitTemplate(template)
  let from = 0
  let open = false
  for (const [index, part] of parts.entries()) {
    if (part.kind === 'reference') {
      open = true
      // A filled template has at least one character.
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
