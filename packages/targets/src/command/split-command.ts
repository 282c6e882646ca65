/** Splits a command line into words, without a shell. */
import { err, ok, type Result } from '@joust/source'

/** Characters that a backslash escapes, by enclosing quote. Before others, it is literal, as in `C:\agent`. */
const escapable = new Map([
  ['', /["'\\\s]/],
  ['"', /["\\]/],
])

interface CommandWord {
  readonly text: string
  /** Start position in the command, including quotes. */
  readonly start: number
  readonly end: number
  /** Positions in the command of the characters of `text`. */
  readonly places: readonly { readonly start: number; readonly end: number }[]
}

/**
 * Splits a command at white space. Single quotes preserve all characters, double quotes all but `\"` and `\\`.
 * Variables, globs and pipes are not supported.
 */
export function splitCommand(text: string): Result<string[], string> {
  const { words, open } = readWords(text, true)
  // Do not repeat the command, which may contain secrets.
  if (open !== '') return err(`unclosed ${open} in the command`)
  return words.length === 0 || words[0]?.text === '' ? err('the command is empty') : ok(words.map((word) => word.text))
}

/** Returns a value to insert in a command after `before`, escaped if it is inside quotes so that it stays one word. */
export function quoteIn(value: string, before: string): string {
  const { open } = readWords(before, true)
  if (open === '"') return value.replaceAll(/["\\]/g, '\\$&')
  return open === "'" ? value.replaceAll("'", `'"'"'`) : value
}

/** Splits a command, recording the positions of words. If a quote is not closed, all quotes are ordinary characters. */
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
