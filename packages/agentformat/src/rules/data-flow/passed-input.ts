/** Without a mapping the parent's whole input is passed on: it can fit, and declares what is required (OPEN-23). */
import { type Misfit, neverFits } from '../../data-flow/never-fits.ts'
import { conjuncts, rootNode } from '../../data-flow/schema-node.ts'
import { requiredNames } from '../../data-flow/schema-parts.ts'
import { quote, quoteSome } from '../../model/quote.ts'
import { findUndeclared } from '../../paths/declares-path.ts'
import type { AgentRule } from '../rule.ts'
import { type AgentWalk, type DelegatedAgent, delegatedAgents } from '../walk.ts'

/** OPEN-23: without a mapping the parent's whole input is passed on, so it can fit. */
export const passedInputFits: AgentRule = (walk, report) => {
  for (const { delegation, misfit } of passedInputs(walk)) {
    if (misfit === undefined) continue
    const what = ['parent.input', ...(misfit.at === '' ? [] : [misfit.at])].join('.')
    const message = `${quote(delegation.alias)} has no input_mapping and gets parent.input, but ${what} ${misfit.message}`
    report(delegation.path, message)
  }
}

/** OPEN-23: what a sub-agent without a mapping requires is declared by the parent's input. */
export const passedInputDeclares: AgentRule = (walk, report) => {
  const { document, effort } = walk
  for (const { delegation, input, misfit } of passedInputs(walk)) {
    if (misfit !== undefined) continue
    const required = [...requiredNames(conjuncts([rootNode(input)], effort), effort)]
    const missing = required.filter((name) => findUndeclared(document.interface.input, [name], effort) !== undefined)
    if (missing.length === 0) continue
    const message = `${quote(delegation.alias)} has no input_mapping and requires what parent.input does not declare: ${quoteSome(missing)}`
    report(delegation.path, message)
  }
}

/** Every sub-agent that has no mapping and so gets the parent's whole input (OPEN-23), and why it can never take it. */
function passedInputs(walk: AgentWalk): (DelegatedAgent & { readonly misfit: Misfit | undefined })[] {
  const own = [rootNode(walk.document.interface.input)]
  return delegatedAgents(walk)
    .filter(({ delegation }) => delegation.mapping === undefined)
    .map((one) => ({ ...one, misfit: neverFits(own, [rootNode(one.input)], walk.effort) }))
}
