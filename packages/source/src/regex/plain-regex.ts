import { matchEnd } from '../text/find-text.ts'

/** Characters and classes, which may be repeated. Escapes that depend on later text are excluded. */
const ATOMS =
  /(?:[^\\^$.|?*+()[\]{}\ud800-\udfff]|\.|\\[dDsSwWnrtfv!-/:-@[-^`{-~]|\[\^?-?(?:a-z|A-Z|[01]-[1-9]|a-f|A-F|\\[dDsSwWnrtfv!-/:-@[-^`{-~]|[^\\^[\]\ud800-\udfff-])+-?\])+/y
/** Anchors, alternatives and flags, which may not be repeated. */
const OTHERS = /(?:[\^$|]|\\[bB]|\(\?[ims]{1,3}\))+/y
const OPENING = /\((?:\?[ims]{0,3}:)?/y
const REPETITION = /(?:[*+?]|\{[0-9]{1,3}(?:,[0-9]{0,3})?\})\??/y

/** The maximum repetition count in RE2. The counts of nested repetitions are multiplied. */
const MOST_COPIES = 1000
/** The maximum number of open groups, far below the RE2 limit. */
const MOST_OPEN = 100

/**
 * Returns the number of groups in a pattern with common syntax: characters, classes, groups, simple flags, repetitions.
 * Such a pattern is valid RE2, and checking it this way is a hundred times faster than compiling. Returns undefined for
 * other patterns.
 */
export function plainGroupCount(pattern: string): number | undefined {
  let groups = 0
  let open = 0
  let copies = 1
  let repeatable = false
  for (let at = 0, end = 0; at < pattern.length; at = end) {
    end = matchEnd(ATOMS, pattern, at)
    repeatable = end > at || repeatable
    if (end > at) continue
    if (pattern.charAt(at) === ')') {
      if (--open < 0) return undefined
      repeatable = true
      end = at + 1
      continue
    }
    end = matchEnd(REPETITION, pattern, at)
    if (end > at) {
      const count = copiesOf(pattern.slice(at, end))
      copies = pattern.charAt(at - 1) === ')' ? copies * count : Math.max(copies, count)
      if (!repeatable || !(copies <= MOST_COPIES)) return undefined
    } else {
      end = matchEnd(OTHERS, pattern, at)
      if (end === at) {
        end = matchEnd(OPENING, pattern, at)
        if (end === at || ++open > MOST_OPEN) return undefined
        if (end === at + 1) groups++
      }
    }
    repeatable = false
  }
  return open === 0 ? groups : undefined
}

/** Returns the number of copies that a repetition expands to; NaN if its minimum exceeds its maximum. */
function copiesOf(repetition: string): number {
  const [, least = '1', most = ''] = /^\{([0-9]+),?([0-9]*)/.exec(repetition) ?? []
  if (most === '') return Math.max(1, Number(least))
  return Number(most) < Number(least) ? Number.NaN : Math.max(1, Number(most))
}
