/** Makes untrusted text safe to display by replacing or escaping control, invisible and bidirectional characters. */

/**
 * Control characters, lone surrogates, line and paragraph separators, bidirectional controls, and invisible characters
 * such as tag characters. Variation selectors up to U+FE0F are excluded, because ordinary emoji contain them.
 */
const HIDDEN = /(?![\ufe00-\ufe0f])[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu

/** Converts untrusted text for a terminal, keeping its length. Tabs become spaces, hidden characters become visible. */
export function printable(text: string): string {
  return text.replaceAll('\t', ' ').replaceAll(HIDDEN, (character) => {
    const unit = character.charCodeAt(0)
    return unit < 0x20 ? String.fromCharCode(0x2400 + unit) : '\ufffd'.repeat(character.length)
  })
}

/** Quotes a string as in JSON, and also escapes characters that are invisible or invalid in YAML. */
export function doubleQuoted(value: string, json = false): string {
  return escapeUnseen(JSON.stringify(value), json)
}

/** Replaces invisible characters with escapes, which are only valid in double quotes. */
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

/** A character that may need a slower check. Most texts contain none. */
const BEYOND_ASCII = /[^\t\r\n -~]/

/** Hidden characters and noncharacters, except white space. */
const UNSEEN = new RegExp(`(?![\\t\\r\\n])(?:${HIDDEN.source}|[\\ufffe\\uffff])`, 'gu')

/** True if a text contains control, invisible or bidirectional characters. */
export function hidesText(text: string): boolean {
  return BEYOND_ASCII.test(text) && text.search(UNSEEN) >= 0
}
