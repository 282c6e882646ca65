import type { Diagnostic, Suggestion } from '../model/diagnostic.ts'
import { sourceBounds } from '../model/limits.ts'

const LONGEST = 64
/** Minimum length of a part of a word; shorter parts occur in too many words. */
const SHORTEST_PART = 4

/**
 * Returns the most likely correction of a word; undefined if no candidate is close enough, or within `most` edits. If
 * `most` is not set, also suggests the only candidate that contains the word: `boundary_breach` for `breach`.
 */
export function suggest(
  word: string,
  candidates: Iterable<string>,
  most: number = Number.POSITIVE_INFINITY,
): string | undefined {
  if (word === '' || word.length > LONGEST) return undefined
  const folded = fold(word)
  let best: string | undefined
  // One edit per three characters, but never all characters.
  let bestDistance = Math.min(Math.max(1, Math.floor(word.length / 3)), word.length - 1, most) + 1
  for (const candidate of candidates) {
    if (candidate === word) return undefined
    if (candidate.length > LONGEST) continue
    const distance = fold(candidate) === folded ? 0 : editDistance(word, candidate, bestDistance)
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best ?? (most === Number.POSITIVE_INFINITY ? onlyCandidateWith(word, candidates) : undefined)
}

function onlyCandidateWith(part: string, candidates: Iterable<string>): string | undefined {
  if (part.length < SHORTEST_PART) return undefined
  const folded = part.toLowerCase()
  const hasPart = (word: string) => word.length <= LONGEST && word.toLowerCase().split(/[-_ ]/).includes(folded)
  const [candidate, ...others] = [...candidates].filter(hasPart)
  return others.length === 0 ? candidate : undefined
}

/** Creates a suggestion to spread into a diagnostic; empty if there is no correction. */
export function suggestion(
  replace: Suggestion['replace'],
  meant: string | undefined,
  part?: string,
): Pick<Diagnostic, 'suggestion'> {
  if (meant === undefined) return {}
  return { suggestion: { replace, ...(part === undefined ? {} : { part }), with: meant } }
}

/**
 * Returns the message of a diagnostic, followed by its suggestion as "Did you mean …?".
 *
 * @example
 * messageWithHint({ message: 'unknown field', suggestion: { replace: 'key', with: 'topic' } })
 */
export function messageWithHint(diagnostic: Pick<Diagnostic, 'message' | 'suggestion'>): string {
  const { message, suggestion: correction } = diagnostic
  return correction === undefined ? message : `${message.replace(/\.$/, '')}.${hint(correction.with)}`
}

/** Returns ` Did you mean "…"?` for a message that is not a diagnostic; empty if there is no suggestion. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const candidate = suggest(word, candidates)
  return candidate === undefined ? '' : hint(candidate)
}

function hint(meant: string): string {
  return ` Did you mean "${meant}"?`
}

function fold(word: string): string {
  return word.toLowerCase().replaceAll(/[-_ ]/g, '')
}

/** Computes the edit distance with transpositions. Returns `bound` early if the lengths alone differ that much. */
function editDistance(a: string, b: string, bound: number): number {
  if (Math.abs(a.length - b.length) >= bound) return bound
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let cost = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, at(beforeLast, j - 2) + 1)
      row.push(cost)
    }
    beforeLast = last
    last = row
  }
  return at(last, b.length)
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? 0
}

/** Returns the most likely correction of a word. */
export type Suggest = (
  word: string,
  candidates: readonly string[] | ReadonlySet<string>,
  most?: number,
) => string | undefined

/** Creates a `suggest` function for one document, with a limited number of comparisons. */
export function suggestions(): Suggest {
  let comparisons = 0
  return (word, candidates, most) => {
    comparisons += 'size' in candidates ? candidates.size : candidates.length
    return comparisons > sourceBounds.suggestions ? undefined : suggest(word, candidates, most)
  }
}
