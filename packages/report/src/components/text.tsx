/** Displays untrusted text with control and invisible characters escaped. */
import type { ComponentChildren, JSX } from 'preact'

// Control characters except tab and line feed, lone surrogates, line separators, annotation characters, and default
// ignorable code points.
const HIDDEN = /(?:(?![\t\n])[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb])+/gu

const HIDDEN_NAMES: Readonly<Record<number, string>> = {
  0: 'NULL',
  7: 'BELL',
  8: 'BACKSPACE',
  13: 'CARRIAGE RETURN',
  27: 'ESCAPE',
  127: 'DELETE',
  155: 'CONTROL SEQUENCE INTRODUCER',
  173: 'SOFT HYPHEN',
  8203: 'ZERO WIDTH SPACE',
  8204: 'ZERO WIDTH NON-JOINER',
  8205: 'ZERO WIDTH JOINER',
  8206: 'LEFT-TO-RIGHT MARK',
  8207: 'RIGHT-TO-LEFT MARK',
  8232: 'LINE SEPARATOR',
  8233: 'PARAGRAPH SEPARATOR',
  8234: 'LEFT-TO-RIGHT EMBEDDING',
  8235: 'RIGHT-TO-LEFT EMBEDDING',
  8236: 'POP DIRECTIONAL FORMATTING',
  8237: 'LEFT-TO-RIGHT OVERRIDE',
  8238: 'RIGHT-TO-LEFT OVERRIDE',
  8288: 'WORD JOINER',
  8294: 'LEFT-TO-RIGHT ISOLATE',
  8295: 'RIGHT-TO-LEFT ISOLATE',
  8296: 'FIRST STRONG ISOLATE',
  8297: 'POP DIRECTIONAL ISOLATE',
  65279: 'BYTE ORDER MARK',
}

interface TextPiece {
  readonly text: string
  /** Names of the hidden characters that the text replaces. */
  readonly hidden?: string
}

/** Shows untrusted text. Used for every string that Joust did not write. */
export function shown(text: string): ComponentChildren {
  return textPieces(text).map(({ text: piece, hidden }) =>
    hidden === undefined ? (
      piece
    ) : (
      <span class="hidden-character" title={hidden}>
        {piece}
      </span>
    ),
  )
}

/** Shows a name whose writing direction does not affect the surrounding text. */
export function shownName(name: string): JSX.Element {
  return <bdi>{shown(name)}</bdi>
}

/** Escapes untrusted text for titles, labels and accessible names. */
export function plainText(text: string): string {
  return textPieces(text)
    .map((piece) => piece.text)
    .join('')
}

export function textPieces(text: string): TextPiece[] {
  const pieces: TextPiece[] = []
  let at = 0
  for (const match of text.matchAll(HIDDEN)) {
    if (match.index > at) pieces.push({ text: text.slice(at, match.index) })
    pieces.push(hiddenPiece(match[0]))
    at = match.index + match[0].length
  }
  if (at < text.length) pieces.push({ text: text.slice(at) })
  return pieces
}

function hiddenPiece(run: string): TextPiece {
  const points = [...run].map((character) => character.codePointAt(0) ?? 0)
  const tags = points.map((point) => (point > 0xe0020 && point < 0xe007f ? String.fromCharCode(point - 0xe0000) : ' '))
  const message = tags.join('').trim()
  const escapes = points.slice(0, 24).map(escapeOf).join('')
  const more = points.length > 24 ? `…×${points.length}` : ''
  const names = [...new Set(points)].slice(0, 8).map(nameOf).join(', ')
  return { text: escapes + more, hidden: message === '' ? names : `hidden text: ${message.slice(0, 500)}` }
}

function escapeOf(point: number): string {
  const digits = point.toString(16)
  return point > 0xffff ? `\\u{${digits}}` : `\\u${digits.padStart(4, '0')}`
}

function nameOf(point: number): string {
  const code = `U+${point.toString(16).toUpperCase().padStart(4, '0')}`
  const name = HIDDEN_NAMES[point]
  return name === undefined ? code : `${code} ${name}`
}
