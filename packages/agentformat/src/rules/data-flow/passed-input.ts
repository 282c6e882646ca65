/** Without a mapping, a sub-agent gets the whole input of its parent, which must match (Agent Format OPEN-23). */
import { type Misfit, neverFits } from '../../data-flow/never-fits.ts'
import { conjuncts, rootNode } from '../../data-flow/schema-node.ts'
import { requiredNames } from '../../data-flow/schema-parts.ts'
import { quote, quoteSome } from '../../model/quote.ts'
import { findUndeclared } from '../../paths/declares-path.ts'
import type { AgentRule } from '../rule.ts'
import { type AgentWalk, type DelegatedAgent, delegatedAgents } from '../walk.ts'

/** OPEN-23: input that is passed on as a whole can match. */
export const passedInputFits: AgentRule = (walk, report) => {
  for (const { delegation, misfit } of passedInputs(walk)) {
    if (misfit === undefined) continue
    const what = ['parent.input', ...(misfit.at === '' ? [] : [misfit.at])].join('.')
    const message = `${quote(delegation.alias)} has no input_mapping and gets parent.input: ${what} ${misfit.message}`
    report(delegation.path, message)
  }
}

/** OPEN-23: input that is passed on as a whole declares the required fields of the sub-agent. */
export const passedInputDeclares: AgentRule = (walk, report) => {
  const { document, effort } = walk
  for (const { delegation, input, misfit } of passedInputs(walk)) {
    if (misfit !== undefined) continue
    const required = [...requiredNames(conjuncts([rootNode(input)], effort), effort)]
    const missing = required.filter((name) => findUndeclared(document.interface.input, [name], effort) !== undefined)
    if (missing.length === 0) continue
    const message = `${quote(delegation.alias)} has no input_mapping, and parent.input does not declare its required fields: ${quoteSome(missing)}`
    report(delegation.path, message)
  }
}

/** Every sub-agent without a mapping, and the reason why it can never accept the parent's input, if any. */
function passedInputs(walk: AgentWalk): (DelegatedAgent & { readonly misfit: Misfit | undefined })[] {
  const own = [rootNode(walk.document.interface.input)]
  return delegatedAgents(walk)
    .filter(({ delegation }) => delegation.mapping === undefined)
    .map((target) => ({ ...target, misfit: neverFits(own, [rootNode(target.input)], walk.effort) }))
}
