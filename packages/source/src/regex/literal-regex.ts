import type { Span } from '../model/source.ts'
import { findText } from '../text/find-text.ts'

const SPECIAL = /[.+*?()|[\]{}^$\\\ud800-\udfff]/
/** Escaped ASCII punctuation, which is literal, unlike escaped letters and digits. */
const ESCAPED = /^\\[!-/:-@[-`{-~]$/

/**
 * Returns the alternatives of a regular expression that consists of literal text: characters, escaped punctuation, `|`,
 * and at most one group around everything. The expression matches if one of the alternatives occurs. Returns undefined
 * for other expressions, and for surrogates, which the engine treats as code points. The expression must be valid.
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

/** Finds the leftmost match of literal alternatives. At the same position, the first alternative wins. */
export function findLiteral(alternatives: readonly string[], text: string, from = 0): Span | undefined {
  const rest = from === 0 ? text : text.slice(from)
  let match: Span | undefined
  for (const literal of alternatives) {
    const at = findText(rest, literal)
    const start = from + at
    if (at >= 0 && (match === undefined || start < match.start)) match = { start, end: start + literal.length }
  }
  return match
}

function withoutGroup(pattern: string): string {
  if (!pattern.startsWith('(') || !pattern.endsWith(')')) return pattern
  const open = pattern.startsWith('(?:') ? 3 : 1
  // Any other parenthesis inside is special and ends the fast path.
  return pattern.slice(open, -1)
}
