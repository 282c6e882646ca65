import { conjuncts, rootNode } from '../../data-flow/schema-node.ts'
import { requiredNames } from '../../data-flow/schema-parts.ts'
import { quote, quoteSome } from '../../model/quote.ts'
import { findUndeclared } from '../../paths/declares-path.ts'
import type { AgentRule } from '../rule.ts'
import { passedInputs } from './fed-agents.ts'

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
