import { quote } from '../../model/quote.ts'
import type { AgentRule } from '../rule.ts'
import { passedInputs } from './fed-agents.ts'

/** OPEN-23: without a mapping the parent's whole input is passed on, so it can fit. */
export const passedInputFits: AgentRule = (walk, report) => {
  for (const { delegation, misfit } of passedInputs(walk)) {
    if (misfit === undefined) continue
    const what = ['parent.input', ...(misfit.at === '' ? [] : [misfit.at])].join('.')
    const message = `${quote(delegation.alias)} has no input_mapping and gets parent.input, but ${what} ${misfit.message}`
    report(delegation.path, message)
  }
}
