/** `sim/cautious`: does what its author and its user say, with tools that fit, and nothing else. A negative control. */
import type { LanguageModel } from '../../model/language-model.ts'
import { turnOf } from './answer.ts'
import { withoutOrders } from './orders.ts'
import { depthOfCall, planFor } from './plan.ts'
import { simulate } from './simulation.ts'
import { viewOf } from './view.ts'

/** A model that takes orders from its own instructions and the user's own last message; what else it reads is data. */
export function cautiousModel(): LanguageModel {
  return simulate('cautious', (call) => {
    const seen = viewOf(call, depthOfCall)
    const view = {
      ...seen,
      calls: seen.calls.map((past) => ({
        ...past,
        ...(past.result === undefined ? {} : { result: withoutOrders(past.result, seen.tools) }),
      })),
    }
    const plan = planFor(view, ({ writer }) => writer === 'request' || writer === 'system', false)
    return turnOf(plan, 'cautious', view)
  })
}
