/** The fields that a mapping sets (Agent Format). */
import { NO_TYPE, OBJECT } from '../../data-flow/json-types.ts'
import { possibleTypes } from '../../data-flow/possible-types.ts'
import { conjuncts, rootNode } from '../../data-flow/schema-node.ts'
import { propertyNodes } from '../../data-flow/schema-parts.ts'
import { quote } from '../../model/quote.ts'
import { findUndeclared } from '../../paths/declares-path.ts'
import type { AgentRule } from '../rule.ts'
import { delegatedAgents } from '../walk.ts'

/** OPEN-15: a mapped field is declared by its target; an error if the schema is closed. */
export const targetDeclaresField: AgentRule = (walk, report) => {
  const { effort, suggest } = walk
  for (const { delegation, input } of delegatedAgents(walk)) {
    const root = [rootNode(input)]
    // OPEN-14 reports a target that does not accept an object.
    if ((possibleTypes(root, effort) & OBJECT) === 0) continue
    for (const field of Object.keys(delegation.mapping ?? {})) {
      const missing = findUndeclared(input, [field], effort)
      if (missing === undefined) continue
      const closed = possibleTypes(propertyNodes(conjuncts(root, effort), field), effort) === NO_TYPE
      const correction = suggest(field, missing.names)
      const verb = closed ? 'allow' : 'declare'
      const message = `the input of ${quote(delegation.alias)} does not ${verb} ${quote(field)}.`
      const open = missing.names.length === 0 ? ({ level: 'info' } as const) : {}
      const options = closed ? {} : ({ severity: 'warning', ...open } as const)
      report([...delegation.mappingPath, field], message, { at: 'key', correction, ...options })
    }
  }
}
