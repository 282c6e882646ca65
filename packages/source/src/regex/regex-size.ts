interface Level {
  /** Instructions in the current alternative. */
  size: number
  /** Instructions in the last atom, which a repetition multiplies. */
  last: number
  /** Instructions in the largest earlier alternative. */
  largest: number
}

/** The RE2 tokens that affect the size: quotations, escapes, classes, groups, counts, characters. */
const TOKEN =
  /\\Q.*?(?:\\E|$)|\\[pP](?:\{[^}]*\}|.)|\\x(?:\{[^}]*\}|..)|\\[0-7]{1,3}|\\.|\[\^?\]?(?:\[:\^?[a-z]{1,9}:\]|\\.|[^\]\\])*\]|\(\?P?<[^>]*>|\(\?[a-zA-Z-]*[:)]|\{\d{1,9}(?:,\d{0,9})?\}|./gsu
/** Atoms that may compile to no instructions. */
const WEIGHTLESS = /^(?:[\^$]|\\[bBAz]|\\Q.*)$/s
/** Tokens that are not atoms: simple repetitions and flags. */
const NO_ATOM = /^(?:[*+?]|\(\?.*\))$/
/** The number of instructions that every program contains: one to fail, one to succeed. */
export const FRAME = 2

/**
 * Returns a lower bound for the program size of a pattern, without compiling it. A short pattern with counted
 * repetitions can take seconds to compile, only to be rejected for its size.
 */
export function leastProgramSize(pattern: string): number {
  const outer: Level[] = []
  let level: Level = { size: 0, last: 0, largest: 0 }
  for (const [token] of pattern.matchAll(TOKEN)) {
    if (token.startsWith('(') && !token.endsWith(')')) {
      outer.push(level)
      level = { size: 0, last: 0, largest: 0 }
    } else if (token === ')') {
      const size = Math.max(level.size, level.largest)
      // The compiler reports an unmatched parenthesis.
      level = outer.pop() ?? level
      addAtom(level, size)
    } else if (token === '|') {
      level.largest = Math.max(level.largest, level.size)
      level.size = 0
    } else if (/^\{\d/.test(token)) repeat(level, token)
    else if (!NO_ATOM.test(token)) addAtom(level, WEIGHTLESS.test(token) ? 0 : 1)
  }
  return FRAME + Math.max(level.size, level.largest)
}

function addAtom(level: Level, size: number): void {
  level.size += size
  level.last = size
}

function repeat(level: Level, token: string): void {
  const [least = 0, most] = token.slice(1, -1).split(',').map(Number)
  const copies = most === undefined ? least : Math.max(least, most, 1)
  level.size += level.last * (copies - 1)
  level.last *= copies
}
