import type { Effort } from '../../data-flow/effort.ts'
import { NULL } from '../../data-flow/json-types.ts'
import { type Misfit, neverFits } from '../../data-flow/never-fits.ts'
import { possibleTypes } from '../../data-flow/possible-types.ts'
import { conjuncts, rootNode, type SchemaNode } from '../../data-flow/schema-node.ts'
import { defaultValue, propertyNodes, requires } from '../../data-flow/schema-parts.ts'
import { readPathExpression } from '../../paths/path-expression.ts'
import { schemasAt } from '../../paths/schemas-at.ts'
import type { AgentRule } from '../rule.ts'
import { delegatedAgents, sourceSchema } from '../walk.ts'

/** P-14, before the run: the type of a mapped value can fit its target. */
export const mappingFits: AgentRule = (walk, report) => {
  const { effort } = walk
  for (const { delegation, input } of delegatedAgents(walk)) {
    const target = conjuncts([rootNode(input)], effort)
    for (const [field, text] of Object.entries(delegation.mapping ?? {})) {
      const expression = readPathExpression(text)
      const schema = expression.ok ? sourceSchema(walk, expression.value) : undefined
      if (!expression.ok || schema === undefined) continue
      const source = schemasAt(schema, expression.value.segments, effort)
      const property = propertyNodes(target, field)
      const required = requires(target, field, effort)
      const misfit = fieldMisfit(source.nodes, property, required, effort)
      // A closed schema without the field is OPEN-15's finding.
      if (misfit === undefined || effort.left < 0 || property.some((node) => node.schema === false)) continue
      // Where the value may be absent and the field left out, some runs succeed.
      const optional = !required || defaultValue(conjuncts(property, effort)) !== undefined
      const message = `${text}${misfit.at === '' ? '' : `.${misfit.at}`} ${misfit.message}`
      report([...delegation.mappingPath, field], message, optional && !source.always ? { severity: 'warning' } : {})
    }
  }
}

/** P-16 by the letter: a required field takes no null, even where its type would. */
function fieldMisfit(
  source: readonly SchemaNode[],
  target: readonly SchemaNode[],
  required: boolean,
  effort: Effort,
): Misfit | undefined {
  if (required && possibleTypes(source, effort) === NULL)
    return { at: '', message: 'is null, but the field is required' }
  return neverFits(source, target, effort)
}
