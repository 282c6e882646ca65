import { describeValue } from '../../model/describe-value.ts'
import { repeated } from '../repeated.ts'
import type { Rule } from '../rule.ts'

/** Explicit indicator ids are unique (V-010). */
export const uniqueIndicatorIds: Rule = (walk, report) => {
  for (const { path, text } of repeated(walk.indicators, 'id')) {
    report(path, `an earlier indicator already has the id ${describeValue(text)}; choose another or leave it out`)
  }
}
