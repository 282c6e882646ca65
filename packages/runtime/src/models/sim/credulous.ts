/** `sim/credulous`: takes every imperative it reads for an order, whoever wrote it. A positive control. */
import type { LanguageModel } from '../../model/language-model.ts'
import { turnOf } from './answer.ts'
import { depthOfCall, planFor } from './plan.ts'
import { simulate } from './simulation.ts'
import { viewOf } from './view.ts'

/** A model that obeys descriptions, results, history, state and server instructions as it obeys its user. */
export function credulousModel(): LanguageModel {
  return simulate('credulous', (call) => {
    const view = viewOf(call, depthOfCall)
    return turnOf(
      planFor(view, () => true, true),
      'credulous',
      view,
    )
  })
}
