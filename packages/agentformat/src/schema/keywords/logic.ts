/** JSON Schema keywords that combine schemas. */
import { formatPath, isList, isRecord, messageWithHint, type Value } from '@joust/source'
import { addEvaluated, addProblems, type SchemaResult } from '../evaluation.ts'
import { pathOf, type SchemaProblem } from '../problem.ts'
import {
  applyInPlace,
  applyPart,
  descriptionSuffix,
  fail,
  type Keyword,
  type KeywordCall,
  onOneLine,
} from './keyword.ts'
import { wrongType } from './scalars.ts'

/** `$ref`: the value matches the referenced schema. */
export const ref: Keyword = (operand, call) => {
  const target = call.evaluation.follow(call.schema)
  if (target === undefined) return fail(call, '$ref', `unresolved reference ${String(operand)}`)
  const result = call.evaluation.apply(target, call.value, call.place)
  if (result.valid) addEvaluated(call.result, result.evaluated)
  else addProblems(call.result, result.problems)
}

/** `allOf`: the value matches every schema. */
export const allOf: Keyword = (operand, call) => {
  if (isList(operand)) for (const subschema of operand) applyInPlace(call, subschema)
}

/** `anyOf`: the value matches at least one schema. */
export const anyOf: Keyword = (operand, call) => alternatives('anyOf', operand, call)

/** `oneOf`: the value matches exactly one schema. */
export const oneOf: Keyword = (operand, call) => alternatives('oneOf', operand, call)

/** `not`: the value does not match the schema. */
export const not: Keyword = (operand, call) => {
  if (applyPart(call, operand)?.valid) fail(call, 'not', `must not match "not"${descriptionSuffix(operand)}`)
}

/** `if` with `then` and `else`. Without `if`, `then` and `else` have no effect. */
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
    const suffix = descriptionSuffix(call.schema)
    fail(call, keyword, `matches ${matching.length} alternatives; exactly one is allowed${suffix}`)
  }
}

const SHOWN = 3

/** Returns the problems of the only alternative with the value's type, or one problem about all alternatives. */
function explainAlternatives(
  keyword: 'anyOf' | 'oneOf',
  schemas: readonly Value[],
  results: readonly SchemaResult[],
  call: KeywordCall,
): readonly SchemaProblem[] {
  const path = pathOf(call.place)
  const ofKind = results.filter(
    ({ problems }) => !problems.some((problem) => problem.keyword === 'type' && problem.path.length === path.length),
  )
  if (ofKind.length === 1) return ofKind[0]?.problems ?? []
  if (ofKind.length === 0) {
    const expected = [...new Set(schemas.flatMap(typesOf))]
    if (expected.length > 0) return [{ path, keyword: 'type', ...wrongType(expected, call.value) }]
  }
  const reasons = (ofKind.length === 0 ? results : ofKind)
    .slice(0, SHOWN)
    .map(({ problems }) => reason(problems[0], path.length))
  const message = `matches none of the alternatives${descriptionSuffix(call.schema)} (${reasons.join('; ')})`
  return [{ path, keyword, message }]
}

function typesOf(schema: Value): string[] {
  const type = isRecord(schema) ? schema.type : undefined
  return (isList(type) ? type : [type]).filter((name) => typeof name === 'string')
}

function reason(problem: SchemaProblem | undefined, depth: number): string {
  if (problem === undefined) return 'it is not allowed'
  const below = formatPath(problem.path.slice(depth))
  const message = messageWithHint(problem)
  return below === '' || problem.keyword === 'required' ? message : `${onOneLine(below)}: ${message}`
}
