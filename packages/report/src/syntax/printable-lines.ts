import { printable } from '@joust/source'

/** Foreign text of several lines: what controls or hides becomes visible, line breaks stay. */
export function printableLines(text: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .map(printable)
    .join('\n')
}
