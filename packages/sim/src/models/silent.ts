/** `sim/silent`: answers and calls nothing. Shows what happens when an agent never acts. */
import type { LanguageModelV3 as LanguageModel } from '@ai-sdk/provider'
import { type Marks, noMarks, viewOf } from '../prompt/view.ts'
import { answerTurn } from './answer.ts'
import { simulate } from './simulation.ts'

/** A model that never calls a tool, even when it is told to. */
export function silentModel(marks: Marks = noMarks): LanguageModel {
  return simulate('silent', (call) => {
    const view = viewOf(call, marks)
    return answerTurn('[simulated silent answer]', { ...view, choice: 'none' })
  })
}
