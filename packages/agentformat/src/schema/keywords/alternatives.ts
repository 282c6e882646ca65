/** Short messages for a value that matches none of several schemas. */
import { formatPath, isList, isRecord, messageWithHint, type Value } from '@joust/source'
import type { SchemaResult } from '../evaluation.ts'
import { pathOf, type SchemaProblem } from '../problem.ts'
import { descriptionSuffix, type KeywordCall, onOneLine } from './keyword.ts'
import { wrongType } from './scalars.ts'

const SHOWN = 3

/** The problems of the only alternative of the value's type, or one problem about all alternatives. */
export function explainAlternatives(
  keyword: 'anyOf' | 'oneOf',
  schemas: readonly Value[],
  results: readonly SchemaResult[],
  call: KeywordCall,
): readonly SchemaProblem[] {
  const path = pathOf(call.place)
  const ofKind = results.filter((result) => !result.problems.some((problem) => isTypeProblem(problem, path.length)))
  if (ofKind.length === 1) return ofKind[0]?.problems ?? []
  if (ofKind.length === 0) {
    const expected = [...new Set(schemas.flatMap(typesOf))]
    if (expected.length > 0) return [{ path, keyword: 'type', ...wrongType(expected, call.value) }]
  }
  const reasons = (ofKind.length === 0 ? results : ofKind)
    .slice(0, SHOWN)
    .map(({ problems }) => reason(problems[0], path.length))
  return [
    {
      path,
      keyword,
      message: `matches none of the alternatives${descriptionSuffix(call.schema)} (${reasons.join('; ')})`,
    },
  ]
}

/** True when the value does not have the alternative's type. */
function isTypeProblem(problem: SchemaProblem, depth: number): boolean {
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
