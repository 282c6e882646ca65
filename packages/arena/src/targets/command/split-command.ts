/** A command as it is typed, split into words without a shell. */
import { err, ok, type Result } from '@joust/source'

/** What a backslash escapes, by the quote around it; before anything else it is literal, as in `C:\agent`. */
const escapable = new Map([
  ['', /["'\\\s]/],
  ['"', /["\\]/],
])

/**
 * Splits at white space. Single quotes keep everything, double quotes keep everything but `\"` and `\\`; there are no
 * variables, no globs, no pipes.
 */
export function splitCommand(text: string): Result<string[], string> {
  const words: string[] = []
  let word: string | undefined
  let quote = ''
  for (let at = 0; at < text.length; at++) {
    const letter = text.charAt(at)
    const next = text.charAt(at + 1)
    if (letter === '\\' && escapable.get(quote)?.test(next) === true) {
      word = (word ?? '') + next
      at += 1
    } else if (letter === quote) quote = ''
    else if (quote === '' && (letter === '"' || letter === "'")) {
      quote = letter
      word ??= ''
    } else if (quote === '' && /\s/.test(letter)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else word = (word ?? '') + letter
  }
  if (quote !== '') return err(`the command ${text} has a ${quote} that is not closed`)
  if (word !== undefined) words.push(word)
  return words.length === 0 || words[0] === '' ? err('the command is empty') : ok(words)
}
