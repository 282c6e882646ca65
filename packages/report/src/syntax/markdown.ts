import { cut, printable } from '@joust/source'
import { printableLines } from './printable-lines.ts'

/** Foreign text of several lines in Markdown: a block that none of its content can end. */
export function markdownBlock(text: string, language: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${printableLines(text).trimEnd()}\n${fence}`
}

const LONGEST = 200

/**
 * Foreign text in Markdown: always code, since nothing in code becomes a link, an image, a mention or markup. It stays
 * on its line and inside its cell of a table.
 */
export function markdownCode(text: string): string {
  const line = printable(text.replaceAll(/\s+/g, ' ').trim()).replaceAll('|', '¦')
  const shown = cut(line, LONGEST)
  if (shown === '') return '–'
  const longest = Math.max(0, ...(shown.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  const pad = shown.startsWith('`') || shown.endsWith('`') ? ' ' : ''
  return `${fence}${pad}${shown}${pad}${fence}`
}
