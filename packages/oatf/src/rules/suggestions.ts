import { didYouMean } from '@joust/source'

const MOST_COMPARISONS = 20_000

/** A `didYouMean` for one run of a rule. It gives up in a document with so many names that guessing would take long. */
export function suggestions(): (word: string, candidates: readonly string[]) => string {
  let comparisons = 0
  return (word, candidates) => {
    comparisons += candidates.length
    return comparisons > MOST_COMPARISONS ? '' : didYouMean(word, candidates)
  }
}
