import { printable } from '@joust/source'

/** Foreign text of several lines: characters that control or hide become visible, line breaks stay. */
export function printableLines(text: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .map(printable)
    .join('\n')
}
