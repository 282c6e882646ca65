import { quote } from '../../model/quote.ts'
import type { AgentRule } from '../rule.ts'
import { tooEarly } from './dependency-order.ts'

/** OPEN-30: a step of a loop cannot read a later one: in the first iteration there is nothing to read. */
export const noEarlierIteration: AgentRule = (walk, report) => {
  for (const { site, expression, reason } of tooEarly(walk)) {
    if (reason !== 'another iteration') continue
    const message = `${quote(expression.source)} has not run yet when this step starts, and nothing is carried over from the iteration before`
    report(site.path, message)
  }
}
