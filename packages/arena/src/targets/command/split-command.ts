/** A command as it is typed, split into words without a shell. */
import { err, ok, type Result } from '@joust/source'

/** What a backslash escapes, by the quote around it; before anything else it is literal, as in `C:\agent`. */
const escapable = new Map([
  ['', /["'\\\s]/],
  ['"', /["\\]/],
])

/** A word of a command. */
interface CommandWord {
  readonly text: string
  /** Its place in the command, with its quotes. */
  readonly start: number
  readonly end: number
  /** For each character of the text where it begins and ends in the command. */
  readonly places: readonly { readonly start: number; readonly end: number }[]
}

/**
 * Splits at white space. Single quotes keep everything, double quotes keep everything but `\"` and `\\`; there are no
 * variables, no globs, no pipes.
 */
export function splitCommand(text: string): Result<string[], string> {
  const { words, open } = readWords(text, true)
  // The command is not repeated: it may contain secrets.
  if (open !== '') return err(`the command has a ${open} that is not closed`)
  return words.length === 0 || words[0]?.text === '' ? err('the command is empty') : ok(words.map((word) => word.text))
}

/** The same words with their places; in a command with an open quote, quotes are characters like others. */
export function placeWords(text: string): readonly CommandWord[] {
  const { words, open } = readWords(text, true)
  return open === '' ? words : readWords(text, false).words
}

function readWords(command: string, quotes: boolean): { readonly words: CommandWord[]; readonly open: string } {
  const words: CommandWord[] = []
  let word: { text: string; start: number; places: { start: number; end: number }[] } | undefined
  let quote = ''
  for (let at = 0; at < command.length; at++) {
    const letter = command.charAt(at)
    const next = command.charAt(at + 1)
    if (quote === '' && /\s/.test(letter)) {
      if (word !== undefined) words.push({ ...word, end: at })
      word = undefined
      continue
    }
    word ??= { text: '', start: at, places: [] }
    if (quotes && letter === quote) quote = ''
    else if (quotes && quote === '' && (letter === '"' || letter === "'")) quote = letter
    else {
      const isEscaped = letter === '\\' && escapable.get(quote)?.test(next) === true
      const end = isEscaped ? at + 2 : at + 1
      word.text += isEscaped ? next : letter
      word.places.push({ start: at, end })
      at = end - 1
    }
  }
  if (word !== undefined) words.push({ ...word, end: command.length })
  return { words, open: quote }
}
