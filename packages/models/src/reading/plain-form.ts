/** Normalizes texts, so that quoting, wrapping and escaping make no difference. */

const named: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', amp: '&' }
/** An ampersand may itself have been escaped, and more than once. */
const ENTITY = /&(?:amp;)*(?:(lt|gt|quot|apos|nbsp|amp)|#(\d{1,7})|#x([0-9a-f]{1,6}));/gi
const ESCAPE = /\\(?:u([0-9a-f]{4})|[nrtbf])/gi
/** White space, control characters, and backslashes that escaped something. */
const DROPPED = /[\s\p{Cc}\\]+/gu

/**
 * A text without white space, with escapes and entities decoded. A text, its JSON and its HTML have the same form, in
 * any nesting. Linear, because runs of backslashes are collapsed first.
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
