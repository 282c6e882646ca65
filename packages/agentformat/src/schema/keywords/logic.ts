/** The keywords that apply subschemas to the value itself. */
import { isList, type Value } from '@joust/source'
import { addEvaluated, addProblems } from '../evaluation.ts'
import { explainAlternatives } from './alternatives.ts'
import { applyInPlace, applyPart, descriptionSuffix, fail, type Keyword, type KeywordCall } from './keyword.ts'

/** `$ref`: the value matches the referenced schema. */
export const ref: Keyword = (operand, call) => {
  const target = call.evaluation.follow(call.schema)
  if (target === undefined) return fail(call, '$ref', `unresolved reference ${String(operand)}`)
  const result = call.evaluation.apply(target, call.value, call.place)
  if (result.valid) addEvaluated(call.result, result.evaluated)
  else addProblems(call.result, result.problems)
}

/** The value matches every schema. */
export const allOf: Keyword = (operand, call) => {
  if (isList(operand)) for (const subschema of operand) applyInPlace(call, subschema)
}

/** The value matches at least one schema. */
export const anyOf: Keyword = (operand, call) => alternatives('anyOf', operand, call)

/** The value matches exactly one schema. */
export const oneOf: Keyword = (operand, call) => alternatives('oneOf', operand, call)

/** The value does not match the schema. */
export const not: Keyword = (operand, call) => {
  if (applyPart(call, operand)?.valid) fail(call, 'not', `must not match "not"${descriptionSuffix(operand)}`)
}

/** `if` with `then` and `else`, which have no effect alone. */
export const ifThenElse: Keyword = (operand, call) => {
  const condition = applyPart(call, operand)
  if (condition === undefined) return
  if (condition.valid) addEvaluated(call.result, condition.evaluated)
  applyInPlace(call, condition.valid ? call.schema.then : call.schema.else)
}

function alternatives(keyword: 'anyOf' | 'oneOf', operand: Value, call: KeywordCall): void {
  if (!isList(operand) || operand.length === 0) return
  const results = operand.flatMap((subschema) => applyPart(call, subschema) ?? [])
  const matching = results.filter((result) => result.valid)
  for (const result of matching) addEvaluated(call.result, result.evaluated)
  if (matching.length === 0) addProblems(call.result, explainAlternatives(keyword, operand, results, call))
  else if (keyword === 'oneOf' && matching.length > 1) {
    fail(
      call,
      keyword,
      `matches ${matching.length} alternatives; exactly one is allowed${descriptionSuffix(call.schema)}`,
    )
  }
}
