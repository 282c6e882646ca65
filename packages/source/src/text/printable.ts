/** Foreign text made harmless to look at: what controls, hides or reorders it is shown, or written as escapes. */

/**
 * Control characters, lone surrogates, line and paragraph separators, and all that reorders or hides text, such as
 * bidirectional controls and tag characters. Variation selectors up to U+FE0F stay: ordinary emoji have them.
 */
const HIDDEN = /(?![\ufe00-\ufe0f])[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu

/** Foreign text for a terminal, unit for unit: tabs become spaces, characters that control or hide become visible. */
export function printable(text: string): string {
  return text.replaceAll('\t', ' ').replaceAll(HIDDEN, (character) => {
    const unit = character.charCodeAt(0)
    return unit < 0x20 ? String.fromCharCode(0x2400 + unit) : '\ufffd'.repeat(character.length)
  })
}

/** A string in double quotes: JSON's, with what YAML does not take or nobody would see escaped as well. */
export function doubleQuoted(value: string, json = false): string {
  return escapeUnseen(JSON.stringify(value), json)
}

/** The same text with invisible characters as escapes, which only work inside double quotes. */
export function escapeUnseen(text: string, json = false): string {
  if (!hidesText(text)) return text
  return text.replaceAll(UNSEEN, (character) => {
    if (character.length > 1 && !json) return `\\U${hex(character.codePointAt(0), 8)}`
    return Array.from({ length: character.length }, (_, at) => `\\u${hex(character.charCodeAt(at), 4)}`).join('')
  })
}

function hex(code: number | undefined, digits: number): string {
  return (code ?? 0).toString(16).padStart(digits, '0')
}

/** A quick look that spares most texts a slow one. */
const BEYOND_ASCII = /[^\t\r\n -~]/

/** White space is nothing to hide. */
const UNSEEN = new RegExp(`(?![\\t\\r\\n])(?:${HIDDEN.source}|[\\ufffe\\uffff])`, 'gu')

/** Whether a text has characters that control, hide or reorder it. */
export function hidesText(text: string): boolean {
  return BEYOND_ASCII.test(text) && text.search(UNSEEN) >= 0
}
