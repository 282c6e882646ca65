/** Whether a schema can be used: well-formed by the meta-schema, patterns in RE2, references inside it (OPEN-6). */
import { defaultLimits, err, isRecord, type Limits, ok, type Result, type Value } from '@joust/source'
import type { JsonSchema } from '../model/document.ts'
import { quote } from '../model/quote.ts'
import { evaluate } from './evaluate.ts'
import { metaSchema } from './meta-schema.ts'
import type { SchemaPosition } from './positions.ts'
import { type PreparedSchema, patternOf, prepareSchema } from './prepare-schema.ts'
import type { SchemaProblem } from './problem.ts'
import { endlessReferences } from './references.ts'

const preparedMetaSchema = prepareSchema(metaSchema)

/** The schema ready for use, or everything that is wrong with it; the paths of the problems lead into the schema. */
export function checkSchema(schema: Value, limits: Limits = defaultLimits): Result<PreparedSchema, SchemaProblem[]> {
  const formed = evaluate(preparedMetaSchema, schema)
  if (!formed.ok) return err(formed.error.map(withHint))
  // The meta-schema lets nothing else through.
  const prepared = prepareSchema(schema as JsonSchema, limits)
  const problems = [...checkPatterns(prepared), ...checkReferences(prepared)]
  if (problems.length === 0) problems.push(...endlessReferences(prepared.positions, prepared.references))
  return problems.length === 0 ? ok(prepared) : err(problems)
}

function withHint(problem: SchemaProblem): SchemaProblem {
  if (problem.keyword !== 'type' || problem.path.at(-1) !== 'items') return problem
  return { ...problem, message: `${problem.message}; a list of schemas is spelled "prefixItems"` }
}

function checkPatterns(prepared: PreparedSchema): SchemaProblem[] {
  const problems: SchemaProblem[] = []
  for (const { node, path } of prepared.positions) {
    for (const { pattern, below } of patternsIn(node.schema)) {
      if (prepared.patterns.size > prepared.limits.documentExpressions) return problems
      if (prepared.patterns.has(pattern)) continue
      const compiled = patternOf(prepared, pattern)
      if (!compiled.ok) problems.push({ path: [...path, ...below], keyword: 'pattern', message: compiled.error })
    }
  }
  return problems
}

function patternsIn({ pattern, patternProperties }: SchemaPosition['node']['schema']) {
  const keys = isRecord(patternProperties) ? Object.keys(patternProperties) : []
  return [
    ...(typeof pattern === 'string' ? [{ pattern, below: ['pattern'] }] : []),
    ...keys.map((key) => ({ pattern: key, below: ['patternProperties', key] })),
  ]
}

function checkReferences({ positions, references }: PreparedSchema): SchemaProblem[] {
  return positions.flatMap(({ node, path }) => {
    const problem = (keyword: string, message: string) => [{ path: [...path, keyword], keyword, message }]
    const { $ref, $dynamicRef } = node.schema
    if ($dynamicRef !== undefined) return problem('$dynamicRef', '"$dynamicRef" is not supported; use "$ref"')
    if (typeof $ref !== 'string' || references.has(node.schema)) return []
    if ($ref.startsWith('#')) return problem('$ref', `the reference ${quote($ref)} points to no schema`)
    return problem('$ref', `the reference ${quote($ref)} points outside this schema; only "#…" is followed`)
  })
}
