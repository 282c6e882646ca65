/** The targets of mappings (Agent Format). */
import { OBJECT, typeNames } from '../../data-flow/json-types.ts'
import { possibleTypes } from '../../data-flow/possible-types.ts'
import { rootNode } from '../../data-flow/schema-node.ts'
import { quote } from '../../model/quote.ts'
import type { AgentRule } from '../rule.ts'
import { delegatedAgents } from '../walk.ts'

/** OPEN-14: a mapping creates an object, so its target must accept one. */
export const targetIsObject: AgentRule = (walk, report) => {
  for (const { delegation, input } of delegatedAgents(walk)) {
    if (delegation.mapping === undefined) continue
    const types = possibleTypes([rootNode(input)], walk.effort)
    if ((types & OBJECT) !== 0) continue
    const message = `an input_mapping creates an object, but the input of ${quote(delegation.alias)} is ${typeNames(types)}`
    report(delegation.mappingPath, message, { at: 'key' })
  }
}
