import { printable } from '@joust/source'

/** Escapes control and invisible characters in untrusted text, except line breaks. */
export function printableLines(text: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .map(printable)
    .join('\n')
}
