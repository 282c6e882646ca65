import { sourceBounds } from './limits.ts'
import { suggest } from './suggest.ts'

/** The candidate that a word most likely means. */
export type Suggest = (
  word: string,
  candidates: readonly string[] | ReadonlySet<string>,
  most?: number,
) => string | undefined

/** A `suggest` for one document. It gives up among so many names that guessing would take long. */
export function suggestions(): Suggest {
  let comparisons = 0
  return (word, candidates, most) => {
    comparisons += 'size' in candidates ? candidates.size : candidates.length
    return comparisons > sourceBounds.suggestions ? undefined : suggest(word, candidates, most)
  }
}
