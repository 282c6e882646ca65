const escapable = new Set('\\.+*?()|[]{}^$-/#'.split(''))
const special = new Set('.+*?()|[]{}^$\\'.split(''))

/**
 * The alternatives of a regular expression that is nothing but literal text: characters, escaped punctuation, `|`, and
 * at most one group around it all. Such an expression matches where one of the alternatives occurs. Undefined for any
 * other expression, and for one with surrogates, which the engine reads as code points.
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
      if (!escapable.has(next)) return undefined
      literal += next
    } else if (special.has(character) || isSurrogate(character)) {
      return undefined
    } else literal += character
  }
  alternatives.push(literal)
  return alternatives
}

function withoutGroup(pattern: string): string {
  if (!pattern.startsWith('(') || !pattern.endsWith(')')) return pattern
  const open = pattern.startsWith('(?:') ? 3 : 1
  // Any other parenthesis inside is special and ends the fast path.
  return pattern.slice(open, -1)
}

function isSurrogate(character: string): boolean {
  return character >= '\ud800' && character <= '\udfff'
}
