import { suggest } from './suggest.ts'

const MOST_COMPARISONS = 20_000

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
    return comparisons > MOST_COMPARISONS ? undefined : suggest(word, candidates, most)
  }
}
