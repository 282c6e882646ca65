/** Evidence that planted text reached the model: its occurrence in a request. */
import { containsText, type Value } from '@joust/source'
import { modelLimits } from './model/limits.ts'
import { createSharedRuns } from './reading/shared-runs.ts'
import { type PlacedString, stringsOf } from './reading/strings.ts'

/**
 * Evidence for one text. `exact`: unchanged in a decoded string. `plain`: equal except for white space, escapes,
 * entities and divisions into messages or parts. `part`: substrings of at least 40 characters; `missing` lists the
 * incomplete sentences. `unknown`: no evidence.
 */
export type Reading =
  | { readonly kind: 'exact' | 'plain'; readonly path: string }
  | { readonly kind: 'part'; readonly path: string; readonly missing: readonly string[]; readonly characters: number }
  | { readonly kind: 'unknown'; readonly reason?: string }

/**
 * Creates a function that searches the given request for a text. Without a request, every result is `unknown`.
 *
 * @example
 * const { kind } = createReader({ messages: [{ role: 'user', content: 'Hello.' }] })('Hello.')
 */
export function createReader(request: Value | undefined): (planted: string) => Reading {
  if (request === undefined)
    return () => ({ kind: 'unknown', reason: 'the request was not recorded, or cannot be read' })
  const { strings, isCut } = stringsOf(request)
  let forms: readonly PlacedString[] | undefined
  let joined: readonly PlacedString[] | undefined
  return (planted) => {
    const exact = locate(strings, planted)
    if (exact !== undefined) return { kind: 'exact', path: exact.path }
    forms ??= strings.map(({ path, text }) => ({ path, text: plainForm(text) }))
    const form = plainForm(planted)
    const plain = locate(forms, form)
    if (plain !== undefined) return { kind: 'plain', path: plain.path }
    joined ??= joinedStrings(forms)
    const divided = piecesOf(form, joined, forms)
    if (divided !== undefined) return { kind: 'plain', path: divided.path }
    return partOf(planted, form, forms) ?? unknown(isCut)
  }
}

/** Returns the first string that contains a text; a short text must equal the string. */
function locate(strings: readonly PlacedString[], planted: string): PlacedString | undefined {
  if (planted.trim() === '') return undefined
  if (planted.length < modelLimits.containedCharacters)
    return strings.find(({ text }) => text.trim() === planted.trim())
  return strings.find(({ text }) => containsText(text, planted))
}

/** Joins the strings of each field across all messages and parts, because the agent may have divided a text. */
function joinedStrings(forms: readonly PlacedString[]): readonly PlacedString[] {
  const fields = new Map<string, { readonly path: string; readonly texts: string[] }>()
  for (const { path, text } of forms) {
    const field = path.replaceAll(/\[\d+\]/g, '[]')
    const entry = fields.get(field) ?? { path, texts: [] }
    fields.set(field, entry)
    entry.texts.push(text)
  }
  return [...fields.values()].flatMap(({ path, texts }) => (texts.length < 2 ? [] : { path, text: texts.join('') }))
}

/**
 * Returns the first piece of a text that the agent divided. The pieces are adjacent, or they occur in order and each is
 * too long to occur by chance.
 */
function piecesOf(
  form: string,
  joined: readonly PlacedString[],
  forms: readonly PlacedString[],
): PlacedString | undefined {
  const { partCharacters: shortest } = modelLimits
  if (form.length < shortest) return undefined
  const whole = joined.find(({ text }) => containsText(text, form))
  if (whole !== undefined) return whole
  let first: PlacedString | undefined
  let at = 0
  for (const string of forms) {
    let from = at + shortest > form.length ? -1 : string.text.indexOf(form.slice(at, at + shortest))
    while (from >= 0) {
      first ??= string
      for (; at < form.length && form[at] === string.text[from]; from++) at += 1
      if (at === form.length) return first
      from = at + shortest > form.length ? -1 : string.text.indexOf(form.slice(at, at + shortest), from)
    }
  }
  return undefined
}

function partOf(planted: string, form: string, forms: readonly PlacedString[]): Reading | undefined {
  if (planted.length > modelLimits.partedCharacters) return undefined
  const runs = createSharedRuns(form, modelLimits.partCharacters)
  let first: PlacedString | undefined
  for (const string of forms) {
    runs.search(string.text)
    if (first === undefined && runs.count() > 0) first = string
  }
  if (first === undefined) return undefined
  let at = 0
  const missing = sentencesOf(planted).filter((sentence) => {
    const start = at
    at += plainForm(sentence).length
    for (let index = start; index < at; index++) if (!runs.covers(index)) return true
    return false
  })
  return {
    kind: 'part',
    path: first.path,
    missing: missing.map((sentence) => sentence.trim()),
    characters: runs.count(),
  }
}

/** Splits a text into sentences and lines, including the white space between them. */
function sentencesOf(text: string): string[] {
  return text.split(/(?<=[.!?]\s)|(?<=\n)/).filter((sentence) => sentence.trim() !== '')
}

function unknown(isCut: boolean): Reading {
  return isCut ? { kind: 'unknown', reason: 'the request is too large to search' } : { kind: 'unknown' }
}

const named: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', amp: '&' }
/** Matches an HTML entity, whose ampersand may be escaped, even repeatedly. */
const ENTITY = /&(?:amp;)*(?:(lt|gt|quot|apos|nbsp|amp)|#(\d{1,7})|#x([0-9a-f]{1,6}));/gi
const ESCAPE = /\\(?:u([0-9a-f]{4})|[nrtbf])/gi
/** Matches white space, control characters, and the backslashes of escapes. */
const DROPPED = /[\s\p{Cc}\\]+/gu

/**
 * Removes white space and resolves escapes and entities, so that a text, its JSON and its HTML have the same form at
 * any nesting depth. Linear, because runs of backslashes are collapsed first.
 */
export function plainForm(text: string): string {
  return text
    .replaceAll(/\\{2,}/g, '\\')
    .replaceAll(ESCAPE, (_, hex?: string) => (hex === undefined ? ' ' : String.fromCharCode(Number.parseInt(hex, 16))))
    .replaceAll(ENTITY, entityText)
    .replaceAll(DROPPED, '')
    .normalize('NFC')
}

function entityText(entity: string, name?: string, decimal?: string, hex?: string): string {
  if (name !== undefined) return named[name.toLowerCase()] ?? entity
  const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
  return code <= 0x10ffff ? String.fromCodePoint(code) : entity
}
