/** For a name that a binding does not know: the one that was meant, where that is beyond doubt. */
import type { Suggest } from '@joust/source'
import { sameWords } from '../bindings/same-words.ts'
import { oldSurfaceNames, todaysSurfaces } from '../dialects/old-surface-names.ts'

/** Letters that may be wrong. With more, it may be a name from a newer version of the protocol. */
const MOST_EDITS = 2

/** A known name made of the same words, or of nearly the same letters. */
export function meantName(word: string, known: readonly string[], hint: Suggest): string | undefined {
  return sameWords(word, known) ?? hint(word, known, MOST_EDITS)
}

/** For a name that is nearly one of an earlier draft: what it is called today. */
export function meantToday(
  word: string,
  protocol: string,
  known: readonly string[],
  hint: Suggest,
): string | undefined {
  const old = meantName(word, oldSurfaceNames(protocol), hint)
  return old === undefined ? undefined : todaysSurfaces(protocol, old)?.find((name) => known.includes(name))
}
