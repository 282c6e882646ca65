/** Finds texts however they are spelled: percent-encoded in part or as a whole, escaped as in JSON or HTML, or in turn. */

/** A part of a text, from `start` up to `end`. */
interface Span {
  readonly start: number
  readonly end: number
}

/** The most times that a text may have been encoded: JSON in an address in JSON is three times. */
const LAYERS = 4

/** A decoded text; `at` has the place in the first text of each of its characters and of its end. */
interface Layer {
  readonly text: string
  readonly at?: Uint32Array
}

/** The places of texts in another one, in any spelling; spans may overlap. An empty text has no place. */
export function findSpellings(wanted: readonly string[], text: string): Span[] {
  const spans: Span[] = []
  for (const { text: here, at } of layersOf(text)) {
    for (const one of wanted) {
      for (let from = one === '' ? -1 : here.indexOf(one); from !== -1; from = here.indexOf(one, from + one.length)) {
        const to = from + one.length
        spans.push({ start: at?.[from] ?? from, end: at?.[to] ?? to })
      }
    }
  }
  return spans
}

/** The end of a text that may be the beginning of another one. */
interface Beginning {
  /** Its length in characters of the text. */
  readonly length: number
  /** The number of characters of the other text that they stand for. */
  readonly known: number
}

/** The longest end of a text with which one of the wanted texts may begin, in any spelling, short of being complete. */
export function beginningAtEnd(wanted: readonly string[], text: string): Beginning {
  let longest: Beginning = { length: 0, known: 0 }
  // An escape has at most ten characters, and may itself be escaped.
  const reach = 30 * wanted.reduce((most, one) => Math.max(most, one.length), 0)
  if (reach === 0) return longest
  const end = text.slice(-reach)
  for (const { text: here, at } of layersOf(end)) {
    for (const body of [here, here.replace(UNFINISHED, '')]) {
      const known = wanted.reduce((most, one) => Math.max(most, overlap(body, one)), 0)
      const length = end.length - (at?.[body.length - known] ?? body.length - known)
      if (length > longest.length) longest = { length, known }
    }
  }
  return longest
}

/** An escape, or a character in percent-encoded UTF-8, that the end of the text has cut off. */
const UNFINISHED =
  /(?:(?:%[cd][0-9a-f]|%e[0-9a-f](?:%[89ab][0-9a-f])?|%f[0-9a-f](?:%[89ab][0-9a-f]){0,2})?(?:%[0-9a-f]?)?|%u[0-9a-f]{0,3}|\\(?:u(?:[0-9a-f]{0,3}|\{[0-9a-f]{0,8})|x[0-9a-f]?)?|&#?[0-9a-z]{0,8})$/i

/** The length of the longest end of a text that is the beginning of another one, short of all of it. */
function overlap(text: string, other: string): number {
  for (let length = Math.min(other.length - 1, text.length); length > 0; length--)
    if (text.endsWith(other.slice(0, length))) return length
  return 0
}

/** The text, and what it becomes by decoding it again and again. */
function* layersOf(text: string): Generator<Layer> {
  let layer: Layer | undefined = { text }
  for (let depth = 0; layer !== undefined && depth <= LAYERS; depth++) {
    yield layer
    layer = decodeOnce(layer)
  }
}

/** A text with a mark in place of each of the wanted ones, in any spelling. */
export function hideSpellings(wanted: readonly string[], text: string, mark: string): string {
  const parts: string[] = []
  let end = 0
  for (const span of findSpellings(wanted, text).sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (span.start >= end) parts.push(text.slice(end, span.start), mark)
    end = Math.max(end, span.end)
  }
  return parts.length === 0 ? text : `${parts.join('')}${text.slice(end)}`
}

const ESCAPES =
  /((?:%[0-9a-f]{2})+)|(?:\\u|%u)([0-9a-f]{4})|\\u\{0*([0-9a-f]{1,6})\}|\\x([0-9a-f]{2})|\\([/"'\\bfnrt])|&#0*(\d{1,7});|&#x0*([0-9a-f]{1,6});|&(amp|lt|gt|quot|apos);/gi

const LETTERS: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Undefined when there is nothing to decode. */
function decodeOnce({ text, at }: Layer): Layer | undefined {
  const parts: string[] = []
  // What an escape stands for is never longer than the escape.
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
  for (const match of text.matchAll(ESCAPES)) {
    copy(match.index)
    const [whole, percents] = match
    if (percents === undefined) put(characterOf(match), end)
    else for (const { character, offset } of charactersOf(percents)) put(character, end + offset)
    end += whole.length
  }
  if (end === 0) return undefined
  copy(text.length)
  places[length] = at?.[text.length] ?? text.length
  return { text: parts.join(''), at: places }
}

function characterOf([whole, , unit, braced, byte, letter, decimal, hex, entity]: RegExpMatchArray): string {
  if (letter !== undefined) return LETTERS[letter] ?? letter
  if (entity !== undefined) return ENTITIES[entity.toLowerCase()] ?? whole
  const code = decimal === undefined ? Number.parseInt(unit ?? braced ?? byte ?? hex ?? '', 16) : Number(decimal)
  return code <= 0x10ffff ? String.fromCodePoint(code) : whole
}

/** The characters of percent-encoded UTF-8, each with its place; a byte that is not UTF-8 stays as it is. */
function* charactersOf(percents: string): Generator<{ readonly character: string; readonly offset: number }> {
  for (let offset = 0; offset < percents.length; ) {
    const first = Number.parseInt(percents.slice(offset + 1, offset + 3), 16)
    const size = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
    const character = decoded(percents.slice(offset, offset + 3 * size))
    yield { character: character ?? percents.slice(offset, offset + 3), offset }
    offset += character === undefined ? 3 : 3 * size
  }
}

function decoded(percents: string): string | undefined {
  try {
    return decodeURIComponent(percents)
  } catch {
    return undefined
  }
}
