/** Splits text into words and quotations, in one pass without backtracking, because the text is untrusted. */

/** A word without surrounding punctuation, or a quotation. */
export interface Token {
  readonly text: string
  readonly lower: string
  readonly quoted: boolean
  readonly after: string
  readonly start: number
}

const CLOSING: Readonly<Record<string, string>> = { '"': '"', '“': '”', '`': '`', "'": "'", '‘': '’', '«': '»' }
const LONGEST_QUOTE = 2000
const LONGEST_WORD = 2000

export function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  while (at < text.length) {
    if (isSpace(text, at)) {
      at++
      continue
    }
    const quoteEnd = endOfQuote(text, at)
    const end = quoteEnd ?? endOfWord(text, at)
    if (quoteEnd === undefined) pushWord(tokens, text, at, end)
    else pushQuote(tokens, text, at, end)
    at = end
  }
  return tokens
}

export function textOf(tokens: readonly Token[]): string {
  const text = tokens.map((token) => `${token.quoted ? `"${token.text}"` : token.text}${token.after}`).join(' ')
  let end = text.length
  // A pattern would take quadratic time on untrusted text.
  while (end > 0 && ' ,;:.'.includes(text.charAt(end - 1))) end--
  return text.slice(0, end)
}

export function mentions(tokens: readonly Token[], ...words: readonly string[]): boolean {
  return tokens.some(({ lower }) => words.includes(lower))
}

/** Splits a list at `and` and commas. */
export function partsOf(tokens: readonly Token[]): Token[][] {
  const parts: Token[][] = [[]]
  for (const token of tokens) {
    const joins = !token.quoted && /^(?:and|then|plus)$/.test(token.lower)
    if (joins) parts.push([])
    else parts.at(-1)?.push(token)
    if (token.after.includes(',')) parts.push([])
  }
  return parts.filter((part) => part.length > 0)
}

function pushQuote(tokens: Token[], text: string, start: number, end: number): void {
  const inner = text.slice(start + 1, end - 1)
  tokens.push({ text: inner, lower: inner.toLowerCase(), quoted: true, after: '', start })
}

function pushWord(tokens: Token[], text: string, start: number, end: number): void {
  let from = start
  let to = Math.min(end, start + LONGEST_WORD)
  while (from < to && '([{<,;:='.includes(text.charAt(from))) from++
  // A single asterisk is an operator between numbers.
  while (to > from && text.slice(start, end) !== '*' && isTrailing(text, from, to)) to--
  const word = text.slice(from, to)
  const after = text.slice(to, end)
  if (word !== '') tokens.push({ text: word, lower: word.toLowerCase(), quoted: false, after, start: from })
  else addToLast(tokens, text.slice(start, end))
}

function addToLast(tokens: Token[], after: string): void {
  const last = tokens.at(-1)
  if (last !== undefined) tokens[tokens.length - 1] = { ...last, after: last.after + after }
}

function isTrailing(text: string, from: number, to: number): boolean {
  const char = text.charAt(to - 1)
  if (char === ')') return !text.slice(from, to).includes('(')
  return '.,;:!?]}>*\'"—–='.includes(char)
}

function endOfWord(text: string, start: number): number {
  let end = start + 1
  while (end < text.length && !isSpace(text, end) && !'"“`«'.includes(text.charAt(end))) end++
  return end
}

/** Returns the index after the closing quotation mark. Returns undefined if no quotation starts here. */
function endOfQuote(text: string, start: number): number | undefined {
  const mark = text.charAt(start)
  const closing = Object.hasOwn(CLOSING, mark) ? CLOSING[mark] : undefined
  if (closing === undefined || isSpace(text, start + 1)) return undefined
  const bound = Math.min(text.length, start + LONGEST_QUOTE)
  for (let at = start + 1; at < bound; at++) {
    if (text.charAt(at) !== closing) continue
    // An apostrophe inside a word does not close a quotation.
    if ((closing === "'" || closing === '’') && isLetter(text.charAt(at + 1))) continue
    return at === start + 1 ? undefined : at + 1
  }
  return undefined
}

function isSpace(text: string, at: number): boolean {
  const char = text.charAt(at)
  return char === ' ' || char === '\n' || char === '\t' || char === '\r' || char === '\u00a0'
}

function isLetter(char: string): boolean {
  return char.toLowerCase() !== char.toUpperCase()
}
