import { describeValue } from '../../model/describe-value.ts'
import { repeated } from '../repeated.ts'
import type { Rule } from '../rule.ts'

/** Explicit phase names are unique within their actor (V-011). */
export const uniquePhaseNames: Rule = (walk, report) => {
  for (const actor of walk.actors) {
    for (const { path, text } of repeated(actor.phases, 'name')) {
      report(path, `an earlier phase is already called ${describeValue(text)}; choose another name or leave it out`)
    }
  }
}
