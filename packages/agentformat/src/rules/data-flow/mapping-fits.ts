/** The types of mapped values (Agent Format). */
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

/** P-14, before the run: the type of a mapped value can match its target. */
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
      // OPEN-15 reports a closed schema without the field.
      if (misfit === undefined || effort.left < 0 || property.some((node) => node.schema === false)) continue
      // If the value may be missing and the field omitted, some runs succeed.
      const optional = !required || defaultValue(conjuncts(property, effort)) !== undefined
      const message = `${text}${misfit.at === '' ? '' : `.${misfit.at}`} ${misfit.message}`
      report([...delegation.mappingPath, field], message, optional && !source.always ? { severity: 'warning' } : {})
    }
  }
}

/** P-16: a required field does not accept null, even if its type does. */
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
