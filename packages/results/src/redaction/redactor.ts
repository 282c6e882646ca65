/** Finds and replaces secrets in texts and values. */

import {
  base64Of,
  beginningAtEnd,
  compileRegex,
  type Diagnostic,
  err,
  findSpellings,
  invariant,
  isNumeric,
  ok,
  type Regex,
  type Result,
  setOwn,
  type Value,
  type ValueRecord,
  withLimits,
} from '@joust/source'
import { diagnostic } from '../model/diagnostics.ts'
import { resultsLimits } from '../model/limits.ts'
import { findSecrets, type SecretSpan } from './secret-shapes.ts'

/**
 * Options for a redactor.
 *
 * @example
 * const redactor = unwrap(createRedactor({ secrets: [password], patterns: ['ACME-[0-9]+'] }))
 */
export interface RedactOptions {
  /** RE2 expressions. All matches are redacted. @default [] */
  readonly patterns?: readonly string[]
  /**
   * Secrets of this run, such as keys and headers. They are also redacted in base64, even inside a longer encoded text,
   * in hexadecimal, reversed, and with percent-encoding or escape sequences.
   * @default []
   */
  readonly secrets?: readonly string[]
  /** Secrets by name, such as the variables of a configuration. They are replaced with `${NAME}`. @default {} */
  readonly named?: Readonly<Record<string, string>>
  /** Redacts secrets with a known format, such as API keys. @default true */
  readonly shapes?: boolean
}

/** A redactor of texts and values. */
export interface Redactor {
  text(text: string): string
  /** Returns a redacted copy, including keys and numbers. Calls `onHidden` for each redacted text. */
  value(value: Value, onHidden?: () => void): Value
  /** The secrets in all encoded forms, but without escape sequences. */
  readonly secrets: readonly string[]
  /** Returns the spans of secrets in order. The spans do not overlap. */
  spans(text: string): readonly SecretSpan[]
}

/**
 * Creates a redactor. The errors describe invalid patterns.
 *
 * @example
 * const redactor = createRedactor({ patterns: ['ACME-\\d+'], secrets: [password] })
 */
export function createRedactor({
  patterns = [],
  secrets: texts = [],
  named = {},
  shapes = true,
}: RedactOptions = {}): Result<Redactor, Diagnostic[]> {
  const names = Object.entries(named).map(([name, text]) => ({ kind: `\${${name}}`, forms: formsOf(text) }))
  const unnamed = [...new Set(texts.filter((text) => !Object.values(named).includes(text)).flatMap(formsOf))]
  const secrets = [...new Set([...unnamed, ...names.flatMap(({ forms }) => forms)])]
  const compiled = patterns.map((pattern) => compileRegex(pattern, withLimits({ regexWork: resultsLimits.redactWork })))
  const faults = compiled.flatMap((regex, index) =>
    regex.ok
      ? []
      : [diagnostic('pattern-malformed', `invalid pattern ${JSON.stringify(patterns[index])}: ${regex.error.message}`)],
  )
  if (faults.length > 0) return err(faults)
  const regexes = compiled.flatMap((regex) => (regex.ok ? [regex.value] : []))
  const spans = (text: string) => {
    // Most texts are short words; no known format is that short.
    const formatted = shapes && text.length > 8 ? findSecrets(text) : []
    const own = [...names, { kind: SECRET_KIND, forms: unnamed }].flatMap(({ kind, forms }) =>
      forms.length === 0
        ? []
        : [...findSpellings(forms, text), ...cutIn(forms, text)].map((span) => ({ ...span, kind })),
    )
    // A named secret wins over its format: of equal spans, the first is kept.
    return merge([...own, ...regexes.flatMap((regex) => matchesOf(regex, text)), ...formatted])
  }
  const redact = (text: string) => replaceSpans(text, spans(text))
  return ok({
    secrets,
    spans,
    text: redact,
    value: (value, onHidden = () => {}) => {
      const watched = (text: string) => {
        const redacted = redact(text)
        if (redacted !== text) onHidden()
        return redacted
      }
      return redactValue(value, watched, regexes.length + secrets.length > 0)
    },
  })
}

/** The kind in redaction marks for secrets without a name. */
export const SECRET_KIND = 'secret'

/** The minimum length of a secret. Shorter secrets would match unrelated texts. */
const SHORTEST = 4

/** Returns the forms of a secret in a decoded text. Form data encodes a space as a plus. */
function formsOf(text: string): string[] {
  if (text.length < SHORTEST) return []
  const bytes = new TextEncoder().encode(text)
  const plain = [text, text.replaceAll(' ', '+'), base64Of(bytes)]
  if (text.length < SHORTEST_INSIDE) return plain
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return [...plain, ...insideBase64(bytes), hex, hex.toUpperCase(), backwards(text)]
}

/** Returns the spans of secrets that are cut off at the start or end of a text, where the text has an ellipsis. */
function cutIn(forms: readonly string[], text: string): { readonly start: number; readonly end: number }[] {
  const spans: { readonly start: number; readonly end: number }[] = []
  if (text.endsWith('…')) {
    const { length, known } = beginningAtEnd(forms, text.slice(0, -1))
    if (known >= SHORTEST) spans.push({ start: text.length - 1 - length, end: text.length - 1 })
  }
  if (text.startsWith('…')) {
    const { known } = beginningAtEnd(forms.map(backwards), backwards(text.slice(1)))
    if (known >= SHORTEST) spans.push({ start: 1, end: 1 + known })
  }
  return spans
}

/** Reverses a text by its code units. */
const backwards = (text: string) => text.split('').toReversed().join('')

/** The minimum length for a search in hexadecimal, reversed, and inside longer base64 texts. */
const SHORTEST_INSIDE = 8

/** Returns the parts of base64 text that depend only on the secret, one for each position in a 3-byte group. */
function insideBase64(bytes: Uint8Array): string[] {
  return [0, 1, 2].flatMap((before) => {
    const shifted = new Uint8Array(before + bytes.length)
    shifted.set(bytes, before)
    const all = base64Of(shifted)
    // A character holds six bits; characters shared with a neighbour are left out.
    const own = all.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6))
    return [own, own.replaceAll('+', '-').replaceAll('/', '_')]
  })
}

/** Returns the replacement of a secret. */
export function markOf(kind: string): string {
  return kind.startsWith('${') ? kind : `[redacted: ${kind}]`
}

/** Replaces spans with marks. The spans must be in order and must not overlap. */
export function replaceSpans(text: string, spans: readonly SecretSpan[]): string {
  const parts: string[] = []
  let at = 0
  for (const { start, end, kind } of spans) {
    parts.push(text.slice(at, start), markOf(kind))
    at = end
  }
  return spans.length === 0 ? text : `${parts.join('')}${text.slice(at)}`
}

/** Returns all non-empty matches. Beyond the work limit, the unsearched rest of the text is redacted. */
function matchesOf(regex: Regex, text: string): SecretSpan[] {
  const spans: SecretSpan[] = []
  let work = 0
  let at = 0
  while (at < text.length) {
    work += regex.programSize * (text.length - at)
    const result = work > resultsLimits.redactWork ? undefined : regex.find(text, at)
    if (result === undefined || !result.ok) return [...spans, { start: at, end: text.length, kind: 'unchecked' }]
    const match = result.value
    if (match === undefined) return spans
    if (match.end > match.start) spans.push({ ...match, kind: 'pattern' })
    at = match.end > match.start ? match.end : match.end + 1
  }
  return spans
}

/** Sorts spans and merges overlapping ones, which get the kind of the first. */
function merge(spans: readonly SecretSpan[]): SecretSpan[] {
  const merged: SecretSpan[] = []
  for (const span of [...spans].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1)
    if (last === undefined || span.start >= last.end) merged.push(span)
    else if (span.end > last.end) merged[merged.length - 1] = { ...last, end: span.end }
  }
  return merged
}

/** Walks the value iteratively, so that deeply nested values do not overflow the stack. */
function redactValue(value: Value, redact: (text: string) => string, numbers: boolean): Value {
  const pending: { readonly from: readonly Value[] | ValueRecord; readonly into: Value[] | ValueRecord }[] = []
  const copy = (from: Value): Value => {
    if (typeof from === 'string') return redact(from)
    if (isNumeric(from) && numbers) return redact(String(from)) === String(from) ? from : redact(String(from))
    if (typeof from !== 'object' || from === null) return from
    // `Array.isArray` does not narrow readonly lists.
    const into: Value[] | ValueRecord = Array.isArray(from) ? [] : {}
    pending.push({ from, into })
    return into
  }
  const root = copy(value)
  for (let job = pending.pop(); job !== undefined; job = pending.pop()) {
    const { from, into } = job
    if (Array.isArray(into)) for (const item of from as readonly Value[]) into.push(copy(item))
    else for (const [key, item] of Object.entries(from)) setOwn(into, freeKey(into, redact(key)), copy(item))
  }
  return root
}

/** Returns a unique key, so that keys that are identical after redaction are all kept. */
function freeKey(record: ValueRecord, key: string): string {
  let free = key
  for (let number = 2; Object.hasOwn(record, free); number++) free = `${key} (${number})`
  return free
}

/**
 * Creates a redactor for secrets with a known format only.
 *
 * @example
 * const { text: hidden } = { text: knownShapes().text(text) }
 */
export function knownShapes(): Redactor {
  const redactor = createRedactor()
  invariant(redactor.ok, 'only patterns can be invalid')
  return redactor.value
}
