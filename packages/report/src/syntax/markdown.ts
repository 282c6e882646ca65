import { cut, printable } from '@joust/source'
import { printableLines } from './printable-lines.ts'

/** Writes untrusted text as a code block. Its fence is longer than any fence in the text. */
export function markdownBlock(text: string, language: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${printableLines(text).trimEnd()}\n${fence}`
}

const LONGEST = 200

/** Writes untrusted text as inline code on one line, so that it cannot become markup or leave its table cell. */
export function markdownCode(text: string): string {
  const line = printable(text.replaceAll(/\s+/g, ' ').trim()).replaceAll('|', '¦')
  const code = cut(line, LONGEST)
  if (code === '') return '–'
  const longest = Math.max(0, ...(code.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  const pad = code.startsWith('`') || code.endsWith('`') ? ' ' : ''
  return `${fence}${pad}${code}${pad}${fence}`
}
