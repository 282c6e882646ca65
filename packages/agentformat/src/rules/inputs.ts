/** Rules for the inputs of sub-agents, with or without a mapping (Agent Format). */

import type { Effort } from '../data-flow/effort.ts'
import { NO_TYPE, NULL, OBJECT, typeNames } from '../data-flow/json-types.ts'
import { type Mismatch, neverFits } from '../data-flow/never-fits.ts'
import { possibleTypes } from '../data-flow/possible-types.ts'
import { conjuncts, rootNode, type SchemaNode } from '../data-flow/schema-node.ts'
import { defaultValue, propertyNodes, requiredNames, requires } from '../data-flow/schema-parts.ts'
import { quote, quoteSome } from '../model/quote.ts'
import { findUndeclared } from '../paths/declares-path.ts'
import { readPathExpression } from '../paths/path-expression.ts'
import { schemasAt } from '../paths/schemas-at.ts'
import type { AgentRule } from './rule.ts'
import { type AgentWalk, type DelegatedAgent, delegatedAgents, sourceSchema } from './walk.ts'

/** OPEN-14: a mapping creates an object, so its target must accept an object. */
export const targetIsObject: AgentRule = (walk, report) => {
  for (const { delegation, input } of delegatedAgents(walk)) {
    if (delegation.mapping === undefined) continue
    const types = possibleTypes([rootNode(input)], walk.effort)
    if ((types & OBJECT) !== 0) continue
    const message = `an input_mapping creates an object, but the input of ${quote(delegation.alias)} is ${typeNames(types)}`
    report(delegation.mappingPath, message, { at: 'key' })
  }
}

/** OPEN-15: the target declares every mapped field. An undeclared field is an error if the schema is closed. */
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

/** P-14, before the run: the type of a mapped value is compatible with the target field. */
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
      // Some runs succeed if the value may be missing and the field may be omitted.
      const optional = !required || defaultValue(conjuncts(property, effort)) !== undefined
      const message = `${text}${misfit.at === '' ? '' : `.${misfit.at}`} ${misfit.message}`
      report([...delegation.mappingPath, field], message, optional && !source.always ? { severity: 'warning' } : {})
    }
  }
}

/** Returns the reason why no value fits. P-16: a required field rejects null even if its type allows null. */
function fieldMisfit(
  source: readonly SchemaNode[],
  target: readonly SchemaNode[],
  required: boolean,
  effort: Effort,
): Mismatch | undefined {
  if (required && possibleTypes(source, effort) === NULL)
    return { at: '', message: 'is null, but the field is required' }
  return neverFits(source, target, effort)
}

/** OPEN-23: the parent's input is compatible with a sub-agent that receives it unmapped. */
export const passedInputFits: AgentRule = (walk, report) => {
  for (const { delegation, misfit } of passedInputs(walk)) {
    if (misfit === undefined) continue
    const what = ['parent.input', ...(misfit.at === '' ? [] : [misfit.at])].join('.')
    const message = `${quote(delegation.alias)} has no input_mapping and receives parent.input: ${what} ${misfit.message}`
    report(delegation.path, message)
  }
}

/** OPEN-23: the parent's input declares the required fields of a sub-agent that receives it unmapped. */
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

/** Returns the sub-agents without a mapping, each with the reason if it can never accept the parent's input. */
function passedInputs(walk: AgentWalk): (DelegatedAgent & { readonly misfit: Mismatch | undefined })[] {
  const own = [rootNode(walk.document.interface.input)]
  return delegatedAgents(walk)
    .filter(({ delegation }) => delegation.mapping === undefined)
    .map((target) => ({ ...target, misfit: neverFits(own, [rootNode(target.input)], walk.effort) }))
}
