import type { Span } from '../model/source.ts'
import { findText } from '../text/find-text.ts'

const special = new Set('.+*?()|[]{}^$\\'.split(''))

/**
 * The alternatives of a regular expression that is nothing but literal text: characters, escaped punctuation, `|`, and
 * at most one group around it all. Such an expression matches where one of the alternatives occurs. Undefined for any
 * other expression, and for one with surrogates, which the engine reads as code points. The expression must be valid.
 */
export function literalAlternatives(pattern: string): readonly string[] | undefined {
  const inner = withoutGroup(pattern)
  const alternatives: string[] = []
  let literal = ''
  for (let index = 0; index < inner.length; index++) {
    const character = inner.charAt(index)
    if (character === '|') {
      alternatives.push(literal)
      literal = ''
    } else if (character === '\\') {
      const next = inner.charAt(++index)
      if (!isPunctuation(next)) return undefined
      literal += next
    } else if (special.has(character) || isSurrogate(character)) {
      return undefined
    } else literal += character
  }
  alternatives.push(literal)
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

/** ASCII punctuation stands for itself when escaped; letters and digits have meanings. */
function isPunctuation(character: string): boolean {
  return /^[!-/:-@[-`{-~]$/.test(character)
}

function isSurrogate(character: string): boolean {
  return character >= '\ud800' && character <= '\udfff'
}
