import { printableLines } from './printable-lines.ts'

/** Foreign text of several lines in Markdown: a block that nothing in it can end. */
export function markdownBlock(text: string, language: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${printableLines(text).trimEnd()}\n${fence}`
}
