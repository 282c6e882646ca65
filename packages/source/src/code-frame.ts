import type { Positioned } from './diagnostic.ts'

const WIDEST = 160

/** The lines around a finding with a caret under it; empty when the finding has no position. */
export function codeFrame(text: string, at: Positioned & { readonly end_column?: number }, context = 1): string {
  if (at.line === undefined) return ''
  const lines = text.split(/\r\n|\r|\n/)
  const first = Math.max(1, at.line - context)
  const last = Math.min(lines.length, at.line + context)
  const gutter = String(last).length
  const frame: string[] = []
  for (let number = first; number <= last; number++) {
    const line = lines[number - 1] ?? ''
    const marked = number === at.line
    const start = marked ? Math.max(0, (at.column ?? 1) - 1) : 0
    const shift = start > WIDEST - 20 ? start - 20 : 0
    const shown = printable(line.slice(shift, shift + WIDEST))
    frame.push(`${marked ? '>' : ' '} ${String(number).padStart(gutter)} | ${shown}`)
    if (marked) frame.push(`  ${' '.repeat(gutter)} | ${underline(start - shift, at)}`)
  }
  return frame.join('\n')
}

function underline(start: number, at: Positioned & { readonly end_column?: number }): string {
  const length = at.end_column === undefined ? 1 : Math.max(1, at.end_column - (at.column ?? 1))
  return ' '.repeat(start) + '^'.repeat(Math.min(length, WIDEST - start))
}

/** Foreign text for a terminal: tabs keep their width of one, control characters become visible. */
export function printable(text: string): string {
  return text.replaceAll(/\t/g, ' ').replaceAll(CONTROL, (character) => {
    const unit = character.charCodeAt(0)
    return unit < 0x20 ? String.fromCharCode(0x2400 + unit) : '\ufffd'
  })
}

/** C0, DEL, C1, and the characters that reorder or hide text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g
