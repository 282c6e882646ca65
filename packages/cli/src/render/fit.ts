/** Fits printable text into the columns of a terminal. */

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u

/** Returns the width of a text in columns: two for East Asian characters and emoji, none for combining marks. */
export function columnsOf(text: string): number {
  if (/^[\x20-\x7e…→·–]*$/.test(text)) return text.length
  let columns = 0
  for (const character of text) columns += /^\p{M}$/u.test(character) ? 0 : WIDE.test(character) ? 2 : 1
  return columns
}

/** Truncates a text to a number of columns, with an ellipsis. */
export function fit(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text
  let result = ''
  for (const character of text) {
    if (columnsOf(result + character) > columns - 1) break
    result += character
  }
  return columns < 1 ? '' : `${result}…`
}

/** Truncates a text to a number of columns, after a word unless more than half of the columns would be empty. */
export function fitWords(text: string, columns: number): string {
  const whole = fit(text, columns)
  const words = whole === text ? text : whole.replace(/[ ,;:]+[^ ]*…$/, '…')
  return columnsOf(words) * 2 < columns ? whole : words
}

/** Truncates a text after a word, or pads the text, to a number of columns. */
export function cell(text: string, columns: number): string {
  const fitted = fitWords(text, columns)
  return `${fitted}${' '.repeat(Math.max(0, columns - columnsOf(fitted)))}`
}

/** Wraps a text between words where possible. */
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
