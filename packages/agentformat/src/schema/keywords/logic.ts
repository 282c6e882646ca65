/** The keywords that apply subschemas to the value itself. */
import { isList, type Value } from '@joust/source'
import { addProblems, addSeen } from '../evaluation.ts'
import { explainAlternatives } from './alternatives.ts'
import { applyInPlace, applyPart, described, fail, type Keyword, type KeywordCall } from './keyword.ts'

/** `$ref`: the schema that the reference leads to. */
export const ref: Keyword = (operand, call) => {
  const target = call.evaluation.follow(call.schema)
  if (target === undefined) return fail(call, '$ref', `the reference ${String(operand)} leads nowhere`)
  const result = call.evaluation.apply(target, call.value, call.place)
  if (result.valid) addSeen(call.result, result.seen)
  else addProblems(call.result, result.problems)
}

/** The value fits every schema. */
export const allOf: Keyword = (operand, call) => {
  if (isList(operand)) for (const subschema of operand) applyInPlace(call, subschema)
}

/** The value fits at least one schema. */
export const anyOf: Keyword = (operand, call) => alternatives('anyOf', operand, call)

/** The value fits exactly one schema. */
export const oneOf: Keyword = (operand, call) => alternatives('oneOf', operand, call)

/** The value does not fit the schema. */
export const not: Keyword = (operand, call) => {
  if (applyPart(call, operand)?.valid) fail(call, 'not', `must not fit "not"${described(operand)}`)
}

/** `if` with `then` and `else`, which mean nothing alone. */
export const ifThenElse: Keyword = (operand, call) => {
  const condition = applyPart(call, operand)
  if (condition === undefined) return
  if (condition.valid) addSeen(call.result, condition.seen)
  applyInPlace(call, condition.valid ? call.schema.then : call.schema.else)
}

function alternatives(keyword: 'anyOf' | 'oneOf', operand: Value, call: KeywordCall): void {
  if (!isList(operand) || operand.length === 0) return
  const results = operand.flatMap((subschema) => applyPart(call, subschema) ?? [])
  const fitting = results.filter((result) => result.valid)
  for (const result of fitting) addSeen(call.result, result.seen)
  if (fitting.length === 0) addProblems(call.result, explainAlternatives(keyword, operand, results, call))
  else if (keyword === 'oneOf' && fitting.length > 1) {
    fail(call, keyword, `fits ${fitting.length} alternatives; exactly one is allowed${described(call.schema)}`)
  }
}
