/** Why a value fits none of several schemas, in as few words as possible. */
import { formatPath, isList, isRecord, messageWithHint, type Value } from '@joust/source'
import type { SchemaResult } from '../evaluation.ts'
import { pathOf, type SchemaProblem } from '../problem.ts'
import { described, type KeywordCall, onOneLine } from './keyword.ts'
import { wrongType } from './scalars.ts'

const SHOWN = 3

/** The problems of the one alternative that was meant, or one problem about all of them. */
export function explainAlternatives(
  keyword: 'anyOf' | 'oneOf',
  schemas: readonly Value[],
  results: readonly SchemaResult[],
  call: KeywordCall,
): readonly SchemaProblem[] {
  const path = pathOf(call.place)
  const ofKind = results.filter((result) => !result.problems.some((problem) => isKindProblem(problem, path.length)))
  if (ofKind.length === 1) return ofKind[0]?.problems ?? []
  if (ofKind.length === 0) {
    const expected = [...new Set(schemas.flatMap(typesOf))]
    if (expected.length > 0) return [{ path, keyword: 'type', ...wrongType(expected, call.value) }]
  }
  const reasons = (ofKind.length === 0 ? results : ofKind)
    .slice(0, SHOWN)
    .map(({ problems }) => reason(problems[0], path.length))
  return [{ path, keyword, message: `fits none of the alternatives${described(call.schema)} (${reasons.join('; ')})` }]
}

/** The value is not even of the alternative's type. */
function isKindProblem(problem: SchemaProblem, depth: number): boolean {
  return problem.keyword === 'type' && problem.path.length === depth
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
