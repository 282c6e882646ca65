/** The texts that an argument may encode: escapes, base64, hexadecimal, reversed, and combinations of them. */
import type { FlowEncoding } from '@joust/results'
import { unescaped } from '@joust/source'
import { arenaLimits } from '../model/limits.ts'

/** A decoded text with the values in it, and the range of the argument that encodes it. */
export interface Decoding<T> {
  readonly text: string
  readonly values: T
  /** The outermost encoding first; empty for the argument itself. */
  readonly encodings: readonly FlowEncoding[]
  readonly start: number
  readonly end: number
}

const DEEPEST = 3

/** The values in a text. */
interface Search {
  readonly candidates: readonly unknown[]
  /** True if the reversed text may have more values. */
  readonly mayBeReversed: boolean
}

/**
 * Returns the text itself, then its possible decodings, including its reversal if that may reveal a value. Returns an
 * empty list if no value can be found. `onLimit` is called when a limit omits decodings.
 */
export function decodingsOf<T extends Search>(
  text: string,
  search: (text: string) => T,
  onLimit: () => void,
): readonly Decoding<T>[] {
  const values = search(text)
  if (values.candidates.length === 0 && !values.mayBeReversed && signsIn(text) === 0) return []
  const all: Decoding<T>[] = [{ text, values, encodings: [], start: 0, end: text.length }]
  let room: number = arenaLimits.flowDecoded
  for (let index = 0; index < all.length; index++) {
    const outer = all[index]
    // Reversed texts are not decoded further; decoded texts may be reversed.
    if (outer === undefined || outer.encodings.length >= DEEPEST || outer.encodings.at(-1) === 'reversed') continue
    for (const inner of innerOf(outer)) {
      room -= inner.text.length
      if (room < 0 || all.length >= arenaLimits.flowDecodings) {
        onLimit()
        return all
      }
      all.push({ ...inner, values: search(inner.text) })
    }
  }
  return all
}

type Encoded = Omit<Decoding<unknown>, 'values'>

function* innerOf({ text, values, encodings, start, end }: Decoding<Search>): Generator<Encoded> {
  const isOuter = encodings.length === 0
  const inner = (decoded: string, encoding: FlowEncoding, from = 0, to = text.length): Encoded => ({
    ...{ text: decoded, encodings: [...encodings, encoding] },
    ...(isOuter ? { start: start + from, end: start + to } : { start, end }),
  })
  if (values.mayBeReversed) yield inner(reversed(text), 'reversed')
  const signs = signsIn(text)
  for (const [mark, encoding] of (signs & ESCAPES) === 0 ? [] : escapes) {
    if (!text.includes(mark)) continue
    const decoded = unescaped(text, mark)
    if (decoded !== text) yield inner(decoded, encoding)
  }
  for (const { 0: run, index } of (signs & OF_HEX) === 0 ? [] : text.matchAll(HEX)) {
    const decoded = readable(hexBytes(run))
    if (decoded !== undefined) yield inner(decoded, 'hex', index, index + run.length)
  }
  for (const { 0: run, index } of (signs & OF_BASE64) === 0 ? [] : text.matchAll(BASE64)) {
    const decoded = fromBase64(run)
    if (decoded !== undefined) yield inner(decoded, 'base64', index, index + run.length)
  }
}

const escapes = [
  ['%', 'percent'],
  ['\\', 'json'],
  ['&', 'html'],
] as const satisfies readonly (readonly [string, FlowEncoding])[]

/** The minimum length of an encoded run, as in the two patterns below. */
const SHORTEST_RUN = 12
/** Character classes: base64, hexadecimal digits, hexadecimal digits with their separators, and escape marks. */
const [OF_BASE64, OF_HEX, IN_HEX, ESCAPES] = [1, 2, 4, 8]
const kinds = new Uint8Array(129)
for (let code = 0; code < kinds.length; code++) {
  const character = String.fromCharCode(code)
  const isHex = /[0-9a-f]/i.test(character)
  kinds[code] =
    (/[A-Za-z0-9+/_-]/.test(character) ? OF_BASE64 : 0) |
    (isHex ? OF_HEX : 0) |
    // White space beyond ASCII separates as well.
    (isHex || /[\s:-]/.test(character) || code === 128 ? IN_HEX : 0) |
    (escapes.some(([mark]) => mark === character) ? ESCAPES : 0)
}

/**
 * Returns the bits of the encodings that a text may have; base64 and hexadecimal need a run that may be long enough.
 * One pass without branches is faster than patterns that match nothing.
 */
function signsIn(text: string): number {
  let [signs, letters, digits] = [0, 0, 0]
  // Negative until a run is long enough.
  let [missingLetters, missingDigits] = [-1, -1]
  for (let index = 0; index < text.length; index++) {
    const kind = kinds[Math.min(text.charCodeAt(index), 128)] ?? 0
    signs |= kind
    letters = (letters + 1) & -(kind & OF_BASE64)
    digits = (digits + ((kind >> 1) & 1)) & -((kind >> 2) & 1)
    missingLetters &= letters - SHORTEST_RUN
    missingDigits &= digits - SHORTEST_RUN
  }
  return (signs & ESCAPES) | (missingLetters < 0 ? 0 : OF_BASE64) | (missingDigits < 0 ? 0 : OF_HEX)
}

const HEX = /(?:[0-9a-f]{2}[\s:-]?){6,}/gi
/** A run of base64, with line breaks as in mail. */
const BASE64 = /[A-Za-z0-9+/_-]{12}(?:[A-Za-z0-9+/_-]|\r?\n(?=[A-Za-z0-9+/_-]))*={0,2}/g

/** Reverses a text. */
export function reversed(text: string): string {
  let result = ''
  // In pieces, since a call has a limited number of arguments.
  for (let end = text.length; end > 0; end -= PIECE) {
    const codes = new Uint16Array(Math.min(end, PIECE))
    for (let index = 0; index < codes.length; index++) codes[index] = text.charCodeAt(end - 1 - index)
    result += String.fromCharCode(...codes)
  }
  return result
}

const PIECE = 4096

function hexBytes(run: string): Uint8Array {
  const digits = run.replaceAll(/[^0-9a-f]/gi, '')
  const bytes = new Uint8Array(digits.length >>> 1)
  for (let index = 0; index < bytes.length; index++)
    bytes[index] = Number.parseInt(digits.slice(2 * index, 2 * index + 2), 16)
  return bytes
}

/**
 * Decodes a run of base64, or the first readable part if slashes, hyphens or underscores separate parts, as in a URL.
 */
function fromBase64(run: string): string | undefined {
  const whole = readable(base64Bytes(run))
  if (whole !== undefined || !/[/_-]/.test(run)) return whole
  const parts = run.split(/[/_-]/).filter((part) => part.length >= 8)
  return parts.map((part) => readable(base64Bytes(part))).find((text) => text !== undefined)
}

/** The six-bit value of each base64 character; 255 for any other character. */
const sextets = new Uint8Array(128).fill(255)
for (const [index, letter] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'].entries())
  sextets[letter.charCodeAt(0)] = index
for (const [letter, value] of [
  ['+', 62],
  ['-', 62],
  ['/', 63],
  ['_', 63],
] as const)
  sextets[letter.charCodeAt(0)] = value

/** Decodes base64. Returns an empty array if a byte is a control character. */
function base64Bytes(run: string): Uint8Array {
  const bytes = new Uint8Array(Math.ceil((run.length * 3) / 4))
  let [bits, held, length] = [0, 0, 0]
  for (let index = 0; index < run.length; index++) {
    const value = sextets[run.charCodeAt(index)] ?? 255
    if (value === 255) continue
    held = ((held << 6) | value) & 0xffffff
    bits += 6
    if (bits < 8) continue
    bits -= 8
    const byte = (held >>> bits) & 255
    if (isControl(byte)) return NOTHING
    bytes[length++] = byte
  }
  return bytes.subarray(0, length)
}

const NOTHING = new Uint8Array()
const isControl = (byte: number) => (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13) || byte === 127
const decoder = new TextDecoder('utf-8', { fatal: true })

/** Decodes UTF-8. Returns undefined for other bytes, too few bytes, and control characters. */
function readable(bytes: Uint8Array): string | undefined {
  if (bytes.length < 6 || bytes.some(isControl) || !isLikelyText(bytes)) return undefined
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

/** False for bytes that are not UTF-8, as in most runs. Checked first because a decoder that throws is much slower. */
function isLikelyText(bytes: Uint8Array): boolean {
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0
    if (byte < 0x80) continue
    if (byte < 0xc2 || byte > 0xf4) return false
    for (let rest = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3; rest > 0; rest--)
      if (((bytes[++index] ?? 0) & 0xc0) !== 0x80) return false
  }
  return true
}
