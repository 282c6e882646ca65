import type { Diagnostic, Suggestion } from '../model/diagnostic.ts'
import { sourceBounds } from '../model/limits.ts'

const LONGEST = 64
/** Shorter parts are in too many words. */
const SHORTEST_PART = 4

/**
 * The candidate that a misspelled word most likely means; undefined when none is near, or within `most` edits. Without
 * `most`, it may also be the only candidate that the word is a part of: `breach` means `boundary_breach`.
 */
export function suggest(
  word: string,
  candidates: Iterable<string>,
  most: number = Number.POSITIVE_INFINITY,
): string | undefined {
  if (word === '' || word.length > LONGEST) return undefined
  const folded = fold(word)
  let best: string | undefined
  // One edit in three characters, and never all of them.
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
  return best ?? (most === Number.POSITIVE_INFINITY ? onlyWith(word, candidates) : undefined)
}

function onlyWith(part: string, candidates: Iterable<string>): string | undefined {
  if (part.length < SHORTEST_PART) return undefined
  const wanted = part.toLowerCase()
  const holds = (one: string) => one.length <= LONGEST && one.toLowerCase().split(/[-_ ]/).includes(wanted)
  const [candidate, ...others] = [...candidates].filter(holds)
  return others.length === 0 ? candidate : undefined
}

/** A suggestion to be spread into a finding; nothing when there is none. */
export function suggestion(
  replace: Suggestion['replace'],
  meant: string | undefined,
  part?: string,
): Pick<Diagnostic, 'suggestion'> {
  if (meant === undefined) return {}
  return { suggestion: { replace, ...(part === undefined ? {} : { part }), with: meant } }
}

/** The message of a finding for people, with what was probably meant. */
export function messageWithHint(found: Pick<Diagnostic, 'message' | 'suggestion'>): string {
  const { message, suggestion: meant } = found
  return meant === undefined ? message : `${message.replace(/\.$/, '')}.${hint(meant.with)}`
}

/** ` Did you mean "…"?` for a message that is not a finding, or nothing. */
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

/** Edit distance with transpositions; not counted when the lengths alone are `bound` apart. */
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

/** The candidate that a word most likely means. */
export type Suggest = (
  word: string,
  candidates: readonly string[] | ReadonlySet<string>,
  most?: number,
) => string | undefined

/** A `suggest` for one document. It gives up when there are too many names to guess among. */
export function suggestions(): Suggest {
  let comparisons = 0
  return (word, candidates, most) => {
    comparisons += 'size' in candidates ? candidates.size : candidates.length
    return comparisons > sourceBounds.suggestions ? undefined : suggest(word, candidates, most)
  }
}
