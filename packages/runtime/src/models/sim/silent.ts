/** `sim/silent`: answers and calls nothing. Shows what happens when an agent never acts. */
import type { LanguageModel } from '../../model/language-model.ts'
import { answerTurn } from './answer.ts'
import { simulate } from './simulation.ts'
import { viewOf } from './view.ts'

/** A model that never calls a tool, even when it is told to. */
export function silentModel(): LanguageModel {
  return simulate('silent', (call) => {
    const view = viewOf(call, () => 0)
    return answerTurn('[simulated silent answer]', { ...view, choice: 'none' })
  })
}
