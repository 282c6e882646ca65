/** `sim/credulous`: takes every imperative it reads for an order, whoever wrote it. A positive control. */
import type { LanguageModelV3 as LanguageModel } from '@ai-sdk/provider'
import { type Marks, noMarks, viewOf } from '../prompt/view.ts'
import { turnOf } from './answer.ts'
import { planFor } from './plan.ts'
import { simulate } from './simulation.ts'

/** A model that obeys descriptions, results, history, state and server instructions as it obeys its user. */
export function credulousModel(marks: Marks = noMarks): LanguageModel {
  return simulate('credulous', (call) => {
    const view = viewOf(call, marks)
    return turnOf(
      planFor(view, () => true, true),
      'credulous',
      view,
    )
  })
}
