/** Decodes escapes in URLs, JSON, scripts and HTML. */

const ESCAPE = String.raw`((?:%[0-9a-f]{2})+)|(?:\\u|%u)([0-9a-f]{4})|\\u\{0*([0-9a-f]{1,6})\}|\\x([0-9a-f]{2})|\\([/"'\\bfnrt])|&#0*(\d{1,7});|&#x0*([0-9a-f]{1,6});|&(amp|lt|gt|quot|apos);`

const LETTERS: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

interface EscapedCharacter {
  readonly character: string
  readonly start: number
  readonly end: number
}

/** The characters that start escapes in URLs, in JSON and scripts, and in HTML. */
export const escapeMarks = ['%', '\\', '&'] as const

/**
 * Yields the escaped characters in a text, optionally only those whose escapes start with `mark`. A percent-encoded
 * byte that is not UTF-8 is plain text.
 */
export function* escapedCharacters(
  text: string,
  mark?: (typeof escapeMarks)[number],
): Generator<EscapedCharacter, undefined> {
  for (const match of text.matchAll(new RegExp(ESCAPE, 'gi')))
    if (mark === undefined || match[0].startsWith(mark)) yield* charactersOf(match)
}

export function escapeReader(text: string): (at: number) => EscapedCharacter | undefined {
  // A character has at most four bytes. Without this limit, a run of bytes could be as long as the text.
  const one = new RegExp(ESCAPE.replace('+', '{1,4}'), 'iy')
  return (at) => {
    if (!marks.has(text.charCodeAt(at))) return undefined
    one.lastIndex = at
    const match = one.exec(text)
    const first = match === null ? undefined : charactersOf(match).next().value
    return first?.start === at ? first : undefined
  }
}

const marks: ReadonlySet<number> = new Set(escapeMarks.map((mark) => mark.charCodeAt(0)))

function* charactersOf(match: RegExpExecArray): Generator<EscapedCharacter, undefined> {
  const [whole, percents] = match
  const { index } = match
  if (percents === undefined) yield { character: characterOf(match), start: index, end: index + whole.length }
  else yield* percentEncoded(percents, index)
}

function characterOf([whole, , unit, braced, byte, letter, decimal, hex, entity]: RegExpExecArray): string {
  if (letter !== undefined) return LETTERS[letter] ?? letter
  if (entity !== undefined) return ENTITIES[entity.toLowerCase()] ?? whole
  const code = decimal === undefined ? Number.parseInt(unit ?? braced ?? byte ?? hex ?? '', 16) : Number(decimal)
  return code <= 0x10ffff ? String.fromCodePoint(code) : whole
}

function* percentEncoded(percents: string, index: number): Generator<EscapedCharacter, undefined> {
  for (let offset = 0; offset < percents.length; ) {
    const first = Number.parseInt(percents.slice(offset + 1, offset + 3), 16)
    const size = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
    const character = decoded(percents.slice(offset, offset + 3 * size))
    const end = offset + (character === undefined ? 3 : 3 * size)
    if (character !== undefined) yield { character, start: index + offset, end: index + end }
    offset = end
  }
}

function decoded(percents: string): string | undefined {
  try {
    return decodeURIComponent(percents)
  } catch {
    return undefined
  }
}

/** Decodes one kind of escape in a text. */
export function unescaped(text: string, mark: (typeof escapeMarks)[number]): string {
  let result = ''
  let end = 0
  for (const { character, start, end: after } of escapedCharacters(text, mark)) {
    result += text.slice(end, start) + character
    end = after
  }
  return result + text.slice(end)
}
