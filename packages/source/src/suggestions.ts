import { didYouMean } from './suggest.ts'

const MOST_COMPARISONS = 20_000

/** ` Did you mean "…"?` for a word, or nothing. */
export type Suggest = (word: string, candidates: readonly string[] | ReadonlySet<string>) => string

/** A `didYouMean` for one document. It gives up among so many names that guessing would take long. */
export function suggestions(): Suggest {
  let comparisons = 0
  return (word, candidates) => {
    comparisons += 'size' in candidates ? candidates.size : candidates.length
    return comparisons > MOST_COMPARISONS ? '' : didYouMean(word, candidates)
  }
}
