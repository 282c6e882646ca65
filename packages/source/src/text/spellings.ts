/** Finds texts in any encoding: partly or fully percent-encoded, escaped as in JSON or HTML, or nested. */
import { escapedCharacters, escapeMarks, escapeReader } from './escapes.ts'

interface Span {
  readonly start: number
  readonly end: number
}

/** Maximum number of nested encodings. JSON in a URL in JSON has three. */
const LAYERS = 4

/** A decoded text. `at` maps each character, and the end, to an offset in the original text. */
interface Layer {
  readonly text: string
  readonly at?: Uint32Array
}

/** Finds the target strings in a text, in any encoding. Ranges may overlap. Empty target strings are ignored. */
export function findSpellings(wanted: readonly string[], text: string): Span[] {
  const spans: Span[] = []
  const forms = withForms(wanted)
  for (const { text: here, at } of layersOf(text)) {
    for (const target of forms) {
      for (
        let from = target === '' ? -1 : here.indexOf(target);
        from !== -1;
        from = here.indexOf(target, from + target.length)
      ) {
        const to = from + target.length
        spans.push({ start: at?.[from] ?? from, end: at?.[to] ?? to })
      }
    }
  }
  for (const { one, start, end, known } of findAmongEscapes(forms, text))
    if (known === one.length) spans.push({ start, end })
  return spans
}

/** Returns the target strings and their form-encoded variants, with a plus sign for each space. */
function withForms(wanted: readonly string[]): readonly string[] {
  return wanted.flatMap((target) => (target.includes(' ') ? [target, target.replaceAll(' ', '+')] : [target]))
}

/** The end of a text that may be the beginning of a target string. */
interface Beginning {
  /** The length of this end in the text, as encoded. */
  readonly length: number
  /** The length of this end in the target string, decoded. */
  readonly known: number
}

/** Returns the longest end of a text that may be an incomplete target string, in any encoding. */
export function beginningAtEnd(wanted: readonly string[], text: string): Beginning {
  let longest: Beginning = { length: 0, known: 0 }
  // An escape has at most ten characters, and may itself be escaped.
  const reach = 30 * wanted.reduce((most, target) => Math.max(most, target.length), 0)
  if (reach === 0) return longest
  const end = text.slice(-reach)
  const forms = withForms(wanted)
  for (const { text: here, at } of layersOf(end)) {
    for (const body of [here, here.replace(UNFINISHED, '')]) {
      const matched = forms.reduce((most, target) => Math.max(most, overlap(body, target)), 0)
      const length = end.length - (at?.[body.length - matched] ?? body.length - matched)
      if (length > longest.length) longest = { length, known: matched }
    }
  }
  for (const { one, start, known } of findAmongEscapes(forms, end, [/$/, UNFINISHED]))
    if (known < one.length && end.length - start > longest.length) longest = { length: end.length - start, known }
  return longest
}

/** An incomplete escape or percent-encoded character at the end of a text. */
const UNFINISHED =
  /(?:(?:%[cd][0-9a-f]|%e[0-9a-f](?:%[89ab][0-9a-f])?|%f[0-9a-f](?:%[89ab][0-9a-f]){0,2})?(?:%[0-9a-f]?)?|%u[0-9a-f]{0,3}|\\(?:u(?:[0-9a-f]{0,3}|\{[0-9a-f]{0,8})|x[0-9a-f]?)?|&#?[0-9a-z]{0,8})$/i

function overlap(text: string, other: string): number {
  for (let length = Math.min(other.length - 1, text.length); length > 0; length--)
    if (text.endsWith(other.slice(0, length))) return length
  return 0
}

/** Yields the text, followed by the results of decoding it repeatedly. */
function* layersOf(text: string): Generator<Layer> {
  let layer: Layer | undefined = { text }
  for (let depth = 0; layer !== undefined && depth <= LAYERS; depth++) {
    yield layer
    layer = decodeOnce(layer)
  }
}

/**
 * Yields occurrences of target strings that themselves contain escapes, possibly incomplete at the end. Searches the
 * text once for each ending, which is removed.
 */
function* findAmongEscapes(wanted: readonly string[], text: string, endings: readonly RegExp[] = [/$/]) {
  const special = wanted.filter(mayHoldEscapes)
  if (special.length === 0 || !mayHoldEscapes(text)) return
  for (const { text: layer, at } of layersByKind(text)) {
    for (const here of new Set(endings.map((ending) => layer.replace(ending, ''))))
      for (const one of special)
        for (const { start, end, known } of findPartlyEscaped(one, here))
          yield { one, start: at?.[start] ?? start, end: at?.[end] ?? end, known }
  }
}

/** Maximum number of times that a single kind of escape is decoded. */
const KINDS = 2

/** Returns the text, followed by the results of decoding each kind of escape separately. */
function layersByKind(text: string): readonly Layer[] {
  const all: Layer[] = [{ text }]
  let last: readonly Layer[] = all
  for (let depth = 0; depth < KINDS; depth++) {
    last = last.flatMap((layer) => escapeMarks.flatMap((mark) => decodeOnce(layer, mark) ?? []))
    all.push(...last)
  }
  return all
}

/** Replaces all occurrences of the target strings, in any encoding, with the given mark. */
export function hideSpellings(wanted: readonly string[], text: string, mark: string): string {
  const parts: string[] = []
  let end = 0
  for (const span of findSpellings(wanted, text).sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (span.start >= end) parts.push(text.slice(end, span.start), mark)
    end = Math.max(end, span.end)
  }
  return parts.length === 0 ? text : `${parts.join('')}${text.slice(end)}`
}

/** Decodes a text once. Returns undefined if there is nothing to decode. */
function decodeOnce({ text, at }: Layer, mark?: (typeof escapeMarks)[number]): Layer | undefined {
  const parts: string[] = []
  // A decoded character is never longer than its escape.
  const places = new Uint32Array(text.length + 1)
  let length = 0
  let end = 0
  const put = (part: string, start: number) => {
    parts.push(part)
    for (let index = 0; index < part.length; index++) places[length++] = at?.[start] ?? start
  }
  const copy = (to: number) => {
    parts.push(text.slice(end, to))
    for (; end < to; end++) places[length++] = at?.[end] ?? end
  }
  for (const { character, start, end: after } of escapedCharacters(text, mark)) {
    copy(start)
    put(character, start)
    end = after
  }
  if (end === 0) return undefined
  copy(text.length)
  places[length] = at?.[text.length] ?? text.length
  return { text: parts.join(''), at: places }
}

/** An occurrence of a target string. `known` is the number of its characters that were found before the text ended. */
interface PartlyEscaped {
  readonly start: number
  readonly end: number
  readonly known: number
}

function mayHoldEscapes(text: string): boolean {
  return /[%\\&]/.test(text)
}

/** Finds a target string with each character plain or escaped once, including incomplete occurrences at the end. */
function* findPartlyEscaped(wanted: string, text: string): Generator<PartlyEscaped> {
  const escapeAt = escapeReader(text)
  // Maps an offset and a number of known characters to the start of the match. A backslash may be literal or start an
  // escape, so several readings may end at the same offset. The longest match wins.
  const pending = new Map<number, Map<number, number>>()
  const reach = (at: number, known: number, start: number) => {
    const there = pending.get(at) ?? new Map<number, number>()
    pending.set(at, there)
    there.set(known, Math.min(start, there.get(known) ?? start))
  }
  for (let at = 0; at <= text.length; at++) {
    const escaped = escapeAt(at)
    const there = pending.get(at)
    if (there === undefined && escaped === undefined && text[at] !== wanted[0]) continue
    pending.delete(at)
    for (const [known, start] of [...(there ?? []), [0, at] as const]) {
      const isWhole = known === wanted.length
      if (isWhole || (at === text.length && known > 0)) yield { start, end: at, known }
      if (isWhole) continue
      if (at < text.length && text[at] === wanted[known]) reach(at + 1, known + 1, start)
      if (escaped !== undefined && wanted.startsWith(escaped.character, known))
        reach(escaped.end, known + escaped.character.length, start)
    }
  }
}
