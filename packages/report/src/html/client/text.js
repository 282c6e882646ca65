/** Text that others wrote: characters that steer or hide are shown as what they are. */

// Controls but tab and line feed, soft hyphen, zero width, bidirectional, separators, annotations, variation selectors, tags.
const HIDDEN_SET =
  '\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f' +
  '\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufffb\\ud800-\\udfff\\u{e0000}-\\u{e0fff}'
const HIDDEN = new RegExp(`[${HIDDEN_SET}]+`, 'gu')

/** @type {Readonly<Record<number, string>>} */
const HIDDEN_NAMES = {
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

/**
 * The text in pieces; those that are `hidden` stand for characters that would not be seen, with their names.
 * @param {string} text
 * @returns {{ text: string, hidden?: string }[]}
 */
export function textPieces(text) {
  /** @type {{ text: string, hidden?: string }[]} */
  const pieces = []
  let at = 0
  for (const found of text.matchAll(HIDDEN)) {
    if (found.index > at) pieces.push({ text: text.slice(at, found.index) })
    pieces.push(...hiddenPieces(found[0]))
    at = found.index + found[0].length
  }
  if (at < text.length) pieces.push({ text: text.slice(at) })
  return pieces
}

/**
 * The same as one text, for places that hold no elements: titles, labels, names for assistive technology.
 * @param {string} text
 * @returns {string}
 */
export function plainText(text) {
  return textPieces(text)
    .map((piece) => piece.text)
    .join('')
}

/**
 * Text as elements.
 * @param {string} text
 * @returns {Node[]}
 */
export function textNodes(text) {
  return textPieces(text).map(({ text: shown, hidden }) => {
    if (hidden === undefined) return document.createTextNode(shown)
    const mark = document.createElement('span')
    mark.className = 'hidden-character'
    mark.title = hidden
    mark.textContent = shown
    return mark
  })
}

/**
 * @param {string} run
 * @returns {{ text: string, hidden: string }[]}
 */
function hiddenPieces(run) {
  const points = [...run].map((character) => character.codePointAt(0) ?? 0)
  const tags = points.map((point) => (point > 0xe0020 && point < 0xe007f ? String.fromCharCode(point - 0xe0000) : ' '))
  const carried = tags.join('').trim()
  const shown = points.slice(0, 24).map(escapeOf).join('')
  const more = points.length > 24 ? `…×${points.length}` : ''
  const names = [...new Set(points)].slice(0, 8).map(nameOf).join(', ')
  return [{ text: shown + more, hidden: carried === '' ? names : `hidden text: ${carried.slice(0, 500)}` }]
}

/** @param {number} point */
function escapeOf(point) {
  const digits = point.toString(16)
  return point > 0xffff ? `\\u{${digits}}` : `\\u${digits.padStart(4, '0')}`
}

/** @param {number} point */
function nameOf(point) {
  const code = `U+${point.toString(16).toUpperCase().padStart(4, '0')}`
  const name = HIDDEN_NAMES[point]
  return name === undefined ? code : `${code} ${name}`
}
