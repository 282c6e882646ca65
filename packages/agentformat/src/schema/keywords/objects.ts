/** JSON Schema keywords for object properties. */
import { isList, isRecord, own, suggestion, type ValueRecord } from '@joust/source'
import { childNode } from '../../data-flow/schema-node.ts'
import { quote } from '../../model/quote.ts'
import { addEvaluated } from '../evaluation.ts'
import { applyBelow, applyInPlace, fail, type Keyword, type KeywordCall, onOneLine } from './keyword.ts'

/** `required`: the object has the listed properties. */
export const required: Keyword = (operand, call) => {
  const { value, evaluation } = call
  if (!isList(operand) || !isRecord(value) || !evaluation.spend(operand.length)) return
  for (const name of operand) {
    if (typeof name === 'string' && !Object.hasOwn(value, name))
      fail(call, 'required', `${quote(name)} is missing`, name)
  }
}

/** `dependentRequired`: if a property is present, the properties listed for it are present too. */
export const dependentRequired: Keyword = (operand, call) => {
  const { value, evaluation } = call
  if (!isRecord(operand) || !isRecord(value)) return
  for (const [cause, names] of Object.entries(operand)) {
    if (!Object.hasOwn(value, cause) || !isList(names) || !evaluation.spend(names.length)) continue
    for (const name of names) {
      if (typeof name !== 'string' || Object.hasOwn(value, name)) continue
      fail(call, 'dependentRequired', `${quote(name)} is missing; ${quote(cause)} requires it`, name)
    }
  }
}

/** `properties`: each named property matches its schema. */
export const properties: Keyword = (operand, call) => {
  const { value, evaluation } = call
  if (!isRecord(operand) || !isRecord(value)) return
  // Iterates in the order of the value, which is the order of the text.
  for (const [name, child] of Object.entries(value)) {
    if (!evaluation.spend(1)) return
    const subschema = own(operand, name)
    if (subschema !== undefined) applyBelow(call, subschema, name, child)
  }
}

/** `patternProperties`: properties whose name matches a pattern match its schema. */
export const patternProperties: Keyword = (operand, call) => {
  const { value, evaluation } = call
  if (!isRecord(operand) || !isRecord(value)) return
  for (const [pattern, subschema] of Object.entries(operand)) {
    for (const [name, child] of Object.entries(value)) {
      if (evaluation.matches(pattern, name)) applyBelow(call, subschema, name, child)
      if (evaluation.fault !== undefined) return
    }
  }
}

/** `additionalProperties`: all properties not covered by `properties` and `patternProperties` match a schema. */
export const additionalProperties: Keyword = (operand, call) => {
  const { schema, value } = call
  if (!isRecord(value)) return
  const declared = isRecord(schema.properties) ? schema.properties : {}
  const patterns = isRecord(schema.patternProperties) ? Object.keys(schema.patternProperties) : []
  for (const [name, child] of Object.entries(value)) {
    if (call.evaluation.fault !== undefined) return
    if (Object.hasOwn(declared, name) || patterns.some((pattern) => call.evaluation.matches(pattern, name))) continue
    if (operand === false) refuseName(call, 'additionalProperties', name, declared)
    else applyBelow(call, operand, name, child)
  }
}

/** `unevaluatedProperties`: all properties that no other keyword has evaluated match a schema. Runs last. */
export const unevaluatedProperties: Keyword = (operand, call) => {
  const { value, result } = call
  if (!isRecord(value)) return
  for (const [name, child] of Object.entries(value)) {
    if (result.evaluated?.has(name)) continue
    if (operand === false) refuseName(call, 'unevaluatedProperties', name, {})
    else applyBelow(call, operand, name, child)
  }
}

/** `propertyNames`: property names match a schema. */
export const propertyNames: Keyword = (operand, call) => {
  const { value, evaluation } = call
  const node = childNode(call.node, operand)
  if (node === undefined || !isRecord(value)) return
  for (const name of Object.keys(value)) {
    const result = evaluation.apply(node, name, { parent: call.place, step: name })
    if (evaluation.fault !== undefined) return
    if (result.valid) continue
    const { message: reason = 'it does not match', suggestion: correction } = result.problems[0] ?? {}
    const message = `the name ${quote(name)} is not allowed here: ${reason}`
    fail(call, 'propertyNames', { message, ...suggestion('key', correction?.with) }, name)
  }
}

/** `dependentSchemas`: if a property is present, the whole object matches a schema. */
export const dependentSchemas: Keyword = (operand, call) => {
  const { value } = call
  if (!isRecord(operand) || !isRecord(value)) return
  for (const [name, subschema] of Object.entries(operand)) {
    if (Object.hasOwn(value, name)) applyInPlace(call, subschema)
  }
}

function refuseName(call: KeywordCall, keyword: string, name: string, declared: ValueRecord): void {
  const names = Object.keys(declared)
  const correction = call.evaluation.suggest(name, names)
  const message = `${quote(name)} is not allowed here.${correction === undefined ? listed(names) : ''}`
  fail(call, keyword, { message, ...suggestion('key', correction) }, name)
  addEvaluated(call.result, [name])
}

function listed(names: readonly string[]): string {
  return names.length === 0 || names.length > 12 ? '' : ` Known: ${onOneLine(names.join(', '))}.`
}
