import { isRecord, own } from '@joust/source'
import type { Rule } from '../rule.ts'

/** A list of responses has at most one entry without `when` (V-033). */
export const oneCatchAll: Rule = (walk, report) => {
  for (const { path, entries } of walk.responseLists) {
    const catchAlls = entries.flatMap((entry, index) =>
      isRecord(entry) && own(entry, 'when') === undefined ? [index] : [],
    )
    if (catchAlls.length < 2) continue
    const [first, second] = catchAlls
    report(path, `the entries ${first} and ${second} both have no "when"; only one entry may be the catch-all`)
  }
}
