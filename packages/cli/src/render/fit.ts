/** Text within the columns of a terminal. It must already be printable. */

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u

/** How many columns a text takes: East Asian characters and emoji take two, combining marks none. */
export function columnsOf(text: string): number {
  if (/^[\x20-\x7e…→·–]*$/.test(text)) return text.length
  let columns = 0
  for (const character of text) columns += /^\p{M}$/u.test(character) ? 0 : WIDE.test(character) ? 2 : 1
  return columns
}

/** A text, cut to fit, with an ellipsis where it was cut. */
export function fit(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text
  let shown = ''
  for (const character of text) {
    if (columnsOf(shown + character) > columns - 1) break
    shown += character
  }
  return columns < 1 ? '' : `${shown}…`
}

/** A text in a column of a table: cut or padded. */
export function cell(text: string, columns: number): string {
  const shown = fit(text, columns)
  return `${shown}${' '.repeat(Math.max(0, columns - columnsOf(shown)))}`
}

/** A text in lines that fit, broken between words where possible. */
export function wrap(text: string, columns: number): string[] {
  if (columnsOf(text) <= columns) return [text]
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (columnsOf(longer) <= columns || line === '') line = longer
    else {
      lines.push(line)
      line = word
    }
  }
  return [...lines, line].flatMap((one) => broken(one, columns))
}

/** A word that is longer than a line. */
function broken(line: string, columns: number): string[] {
  const parts: string[] = []
  let part = ''
  for (const character of line) {
    if (part !== '' && columnsOf(part + character) > columns) {
      parts.push(part)
      part = ''
    }
    part += character
  }
  return [...parts, part]
}
