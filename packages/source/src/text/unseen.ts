/** Text with characters that control, hide or reorder it, which nobody would see: written as escapes. */
import { HIDDEN } from './code-frame.ts'

/** A string in double quotes: JSON's, with what YAML does not take or nobody would see escaped as well. */
export function doubleQuoted(value: string, json = false): string {
  return escapeUnseen(JSON.stringify(value), json)
}

/** The same text with what nobody would see as escapes, which have to stand inside of double quotes. */
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

/** A quick look that spares most texts a slow one. */
const BEYOND_ASCII = /[^\t\r\n -~]/

/** White space is nothing to hide. */
const UNSEEN = new RegExp(`(?![\\t\\r\\n])(?:${HIDDEN.source}|[\\ufffe\\uffff])`, 'gu')

/** Whether a text has characters that control, hide or reorder it. */
export function hidesText(text: string): boolean {
  return BEYOND_ASCII.test(text) && text.search(UNSEEN) >= 0
}
