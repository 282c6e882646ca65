/** Parts of the rows of Python frameworks. */

const assigned = String.raw`^(\w+)(?:\s*:[^=\n]+)?\s*=\s*`

/** Matches the assignment of an object that one of the functions creates. */
export function made(...names: readonly string[]): RegExp {
  return new RegExp(String.raw`${assigned}(?:\w+\.)*(?:${names.join('|')})(?:\[[^\]\n]*\])?\(`, 'gm')
}

/** A conversation that the wrapper keeps. */
export const HISTORY = 'history = []'
