/** Hides secrets before anything is written. */
import { base64Of } from '@joust/io'
import {
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
import { arenaLimits } from '../model/limits.ts'
import { findSecrets, type SecretSpan } from './secret-shapes.ts'

/** What is hidden. */
export interface RedactOptions {
  /** RE2 expressions; whatever they match is hidden. */
  readonly patterns?: readonly string[]
  /**
   * Texts that are secrets themselves: keys and headers of this run. They are also hidden in base64, even inside a longer
   * text in base64, and all of this percent-encoded or escaped in any way.
   */
  readonly secrets?: readonly string[]
  /** Whether secrets of known shapes are hidden; default true. */
  readonly shapes?: boolean
}

/** Hides secrets in texts and values. */
export interface Redactor {
  text(text: string): string
  /** A redacted copy; keys are searched too, and numbers as they are written. Calls back when something is hidden. */
  value(value: Value, onHidden?: () => void): Value
  /** The texts that are hidden, however they are escaped. */
  readonly secrets: readonly string[]
  /** What has to be hidden, from left to right, without overlaps. */
  spans(text: string): readonly SecretSpan[]
}

/** Makes a redactor, or says which patterns are not regular expressions. */
export function createRedactor({
  patterns = [],
  secrets: texts = [],
  shapes = true,
}: RedactOptions = {}): Result<Redactor, Diagnostic[]> {
  const secrets = [...new Set(texts.flatMap(formsOf))]
  const compiled = patterns.map((pattern) => compileRegex(pattern, withLimits({ regexWork: arenaLimits.redactWork })))
  const faults = compiled.flatMap((regex, index) =>
    regex.ok ? [] : [diagnostic('pattern-malformed', `${JSON.stringify(patterns[index])}: ${regex.error.message}`)],
  )
  if (faults.length > 0) return err(faults)
  const regexes = compiled.flatMap((regex) => (regex.ok ? [regex.value] : []))
  const spans = (text: string) => {
    // Most texts are short words, and no secret is that short.
    const known = shapes && text.length > 8 ? findSecrets(text) : []
    const own = secrets.length === 0 ? [] : findSpellings(secrets, text).map((span) => ({ ...span, kind: SECRET_KIND }))
    return merge([...regexes.flatMap((regex) => matchesOf(regex, text)), ...own, ...known])
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

/** The kind of secrets that were given as such. */
export const SECRET_KIND = 'secret'

/** Shorter texts occur in too many others. */
const SHORTEST = 4

/** The forms of a secret in a decoded text. In the data of web forms, a space is a plus. */
function formsOf(text: string): string[] {
  if (text.length < SHORTEST) return []
  const bytes = new TextEncoder().encode(text)
  const inside = text.length < SHORTEST_INSIDE ? [] : insideBase64(bytes)
  return [text, text.replaceAll(' ', '+'), base64Of(bytes), ...inside]
}

/** A shorter secret leaves too little of itself inside a longer text in base64. */
const SHORTEST_INSIDE = 8

/**
 * What a text in base64 holds of a secret regardless of its surroundings, as in `user:secret`: one form for each
 * position in a group of three bytes.
 */
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

/** What replaces a secret. */
export function markOf(kind: string): string {
  return `[redacted: ${kind}]`
}

/** A text with marks in place of these spans, which are in order and do not overlap. */
export function replaceSpans(text: string, spans: readonly SecretSpan[]): string {
  const parts: string[] = []
  let at = 0
  for (const { start, end, kind } of spans) {
    parts.push(text.slice(at, start), markOf(kind))
    at = end
  }
  return spans.length === 0 ? text : `${parts.join('')}${text.slice(at)}`
}

/**
 * Every match. Once the work is spent, the whole rest of the text is hidden: what could not be searched may hold
 * anything. Empty matches hide nothing.
 */
function matchesOf(regex: Regex, text: string): SecretSpan[] {
  const spans: SecretSpan[] = []
  let work = 0
  let at = 0
  while (at < text.length) {
    work += regex.programSize * (text.length - at)
    const found = work > arenaLimits.redactWork ? undefined : regex.find(text, at)
    if (found === undefined || !found.ok) return [...spans, { start: at, end: text.length, kind: 'unchecked' }]
    const match = found.value
    if (match === undefined) return spans
    if (match.end > match.start) spans.push({ ...match, kind: 'pattern' })
    at = match.end > match.start ? match.end : match.end + 1
  }
  return spans
}

/** In order; overlapping spans become one, under the name of the first. */
function merge(spans: readonly SecretSpan[]): SecretSpan[] {
  const merged: SecretSpan[] = []
  for (const span of [...spans].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1)
    if (last === undefined || span.start >= last.end) merged.push(span)
    else if (span.end > last.end) merged[merged.length - 1] = { ...last, end: span.end }
  }
  return merged
}

/** Iterative, so that depth cannot exhaust the stack. */
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

/** Two keys that look the same once they are redacted are both kept. */
function freeKey(record: ValueRecord, key: string): string {
  let free = key
  for (let number = 2; Object.hasOwn(record, free); number++) free = `${key} (${number})`
  return free
}

/** Hides secrets of known shapes and nothing else. */
export function knownShapes(): Redactor {
  const made = createRedactor()
  invariant(made.ok, 'no patterns, no faults')
  return made.value
}
