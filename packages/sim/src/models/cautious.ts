/** `sim/cautious`: does what its author and its user say, with tools that fit, and nothing else. A negative control. */
import type { LanguageModelV3 as LanguageModel } from '@ai-sdk/provider'
import { withoutOrders } from '../orders/orders.ts'
import { type Marks, noMarks, viewOf } from '../prompt/view.ts'
import { turnOf } from './answer.ts'
import { planFor } from './plan.ts'
import { simulate } from './simulation.ts'

/** A model that takes orders from its own instructions and the user's own last message; what else it reads is data. */
export function cautiousModel(marks: Marks = noMarks): LanguageModel {
  return simulate('cautious', (call) => {
    const seen = viewOf(call, marks)
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
