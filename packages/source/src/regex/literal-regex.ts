import type { Span } from '../model/source.ts'
import { findText } from '../text/find-text.ts'

/** What means more than itself, or stands for a part of a character. */
const SPECIAL = /[.+*?()|[\]{}^$\\\ud800-\udfff]/
/** ASCII punctuation stands for itself when escaped; letters and digits have meanings. */
const ESCAPED = /^\\[!-/:-@[-`{-~]$/

/**
 * The alternatives of a regular expression that is nothing but literal text: characters, escaped punctuation, `|`, and
 * at most one group around it all. Such an expression matches where one of the alternatives occurs. Undefined for any
 * other expression, and for one with surrogates, which the engine reads as code points. The expression must be valid.
 */
export function literalAlternatives(pattern: string): readonly string[] | undefined {
  const alternatives = ['']
  for (const token of withoutGroup(pattern).match(/\\?./gs) ?? []) {
    if (token === '|') alternatives.push('')
    else if (ESCAPED.test(token) || !SPECIAL.test(token)) alternatives.push(`${alternatives.pop()}${token.slice(-1)}`)
    else return undefined
  }
  return alternatives
}

/** Where the first match of literal alternatives is: the leftmost, and there the first alternative in order. */
export function findLiteral(alternatives: readonly string[], text: string, from = 0): Span | undefined {
  const rest = from === 0 ? text : text.slice(from)
  let found: Span | undefined
  for (const literal of alternatives) {
    const at = findText(rest, literal)
    const start = from + at
    if (at >= 0 && (found === undefined || start < found.start)) found = { start, end: start + literal.length }
  }
  return found
}

function withoutGroup(pattern: string): string {
  if (!pattern.startsWith('(') || !pattern.endsWith(')')) return pattern
  const open = pattern.startsWith('(?:') ? 3 : 1
  // Any other parenthesis inside is special and ends the fast path.
  return pattern.slice(open, -1)
}
