import { quote } from '../../model/quote.ts'
import type { AgentRule } from '../rule.ts'
import { tooEarly } from './dependency-order.ts'

/** P-21: a route is chosen before any agent runs, so `when` reads the parent's input. */
export const whenReadsInput: AgentRule = (walk, report) => {
  for (const { site, expression, reason } of tooEarly(walk)) {
    if (reason !== 'input only') continue
    const message = `a route is chosen before ${quote(expression.source)} runs: "when" reads from parent.input only`
    report(site.path, message, { at: 'key' })
  }
}
