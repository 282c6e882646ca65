import { quote } from '../../model/quote.ts'
import type { PlanOrder } from '../../policies/plan.ts'
import type { AgentRule } from '../rule.ts'
import { tooEarly } from './dependency-order.ts'

const reasons: { readonly [order in PlanOrder]: string } = {
  sequence: 'no earlier step runs it',
  loop: 'no step of the loop runs it',
  together: 'the agents of agf.parallel run at the same time, so they read from parent.input only',
  choice: 'only the chosen agent runs, so routes read from parent.input only',
  items: 'a batch has no earlier steps, so it reads from parent.input only',
}

/** P-03: a step is read only after it has run. */
export const sourcesFinished: AgentRule = (walk, report) => {
  for (const { site, expression, reason } of tooEarly(walk)) {
    if (reason !== 'order') continue
    const message = `${quote(expression.source)} has not run yet: ${reasons[walk.plan?.order ?? 'choice']}`
    report(site.path, message, site.at && { at: site.at })
  }
}
