/** Models that obey any text, no text, or only their developer and user. */
import type { LanguageModelV4 as LanguageModel } from '@ai-sdk/provider'
import { withoutOrders } from '../orders/orders.ts'
import { type Marks, noMarks, viewOf } from '../prompt/view.ts'
import { answerTurn, turnOf } from './answer.ts'
import { planFor } from './plan.ts'
import { simulate } from './simulation.ts'

/**
 * Creates a model that obeys descriptions, results, history, state and server instructions as it obeys its user.
 *
 * @example
 * const { content } = await credulousModel().doGenerate({ prompt: [] })
 */
export function credulousModel(marks: Marks = noMarks): LanguageModel {
  return simulate('credulous', (call) => {
    const view = viewOf(call, marks)
    const plan = planFor(view, () => true, true)
    return turnOf(plan, 'credulous', view)
  })
}

/**
 * Creates a model that never calls a tool, even when it is told to.
 *
 * @example
 * const runtime = createRuntime({ models: { 'openai/gpt-5-mini': silentModel() } })
 */
export function silentModel(marks: Marks = noMarks): LanguageModel {
  return simulate('silent', (call) => {
    const view = viewOf(call, marks)
    return answerTurn('[simulated silent answer]', { ...view, choice: 'none' })
  })
}

/**
 * Creates a model that follows only its own instructions and the user's last message; all other text is data.
 *
 * @example
 * const { content } = await cautiousModel().doGenerate({ prompt: [] })
 */
export function cautiousModel(marks: Marks = noMarks): LanguageModel {
  return simulate('cautious', (call) => {
    const full = viewOf(call, marks)
    const calls = full.calls.map((past) =>
      past.result === undefined ? past : { ...past, result: withoutOrders(past.result, full.verbs) },
    )
    const view = { ...full, calls }
    const plan = planFor(view, ({ writer }) => writer === 'request' || writer === 'system', false)
    return turnOf(plan, 'cautious', view)
  })
}

/** Version of the simulated agents. Increment it whenever their behaviour changes: proofs of other versions expire. */
export const simulationVersion = 5
