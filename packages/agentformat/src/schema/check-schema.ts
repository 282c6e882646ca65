/** Checks JSON Schemas (Agent Format OPEN-6) and validates values against them. */
import {
  defaultLimits,
  err,
  isRecord,
  type Limits,
  messageWithHint,
  ok,
  type Result,
  type Value,
  withLimits,
} from '@joust/source'
import type { JsonSchema } from '../model/document.ts'
import { quote } from '../model/quote.ts'
import { evaluate } from './evaluate.ts'
import { metaSchema } from './meta-schema.ts'
import type { SchemaPosition } from './positions.ts'
import { type PreparedSchema, patternOf, prepareSchema } from './prepare-schema.ts'
import type { SchemaProblem } from './problem.ts'
import { circularReferences } from './references.ts'

const preparedMetaSchema = prepareSchema(metaSchema)

/** Prepares a schema, or returns its problems with their paths in the schema. */
export function checkSchema(schema: Value, limits: Limits = defaultLimits): Result<PreparedSchema, SchemaProblem[]> {
  const valid = evaluate(preparedMetaSchema, schema)
  if (!valid.ok) return err(valid.error.map(withHint))
  // The meta-schema accepts only objects and booleans.
  const prepared = prepareSchema(schema as JsonSchema, limits)
  const problems = [...checkPatterns(prepared), ...checkReferences(prepared)]
  if (problems.length === 0) problems.push(...circularReferences(prepared.positions, prepared.references))
  return problems.length === 0 ? ok(prepared) : err(problems)
}

function withHint(problem: SchemaProblem): SchemaProblem {
  if (problem.keyword !== 'type' || problem.path.at(-1) !== 'items') return problem
  return { ...problem, message: `${problem.message}; use "prefixItems" for a list of schemas` }
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
    if ($ref.startsWith('#')) return problem('$ref', `unresolved reference ${quote($ref)}`)
    return problem('$ref', `the reference ${quote($ref)} is outside this schema; only "#…" is supported`)
  })
}

/** Validates values against a compiled schema. */
export type ValueValidator = (value: Value) => Result<void, SchemaProblem[]>

/**
 * Compiles a schema for repeated use, or returns its problems.
 *
 * @example
 * const isValid = unwrap(compileSchema({ type: 'string', minLength: 1 }))
 * console.log(isValid('').ok)
 */
export function compileSchema(schema: JsonSchema, limits?: Partial<Limits>): Result<ValueValidator, SchemaProblem[]> {
  const checked = checkSchema(schema, withLimits(limits))
  return checked.ok ? ok((value) => evaluate(checked.value, value)) : checked
}

/**
 * Validates a value. An invalid schema is reported as a problem. No eval, coercion or network access; patterns are RE2.
 *
 * @example
 * const checked = validateValue({ type: 'object', required: ['topic'] }, { topic: 5 })
 */
export function validateValue(schema: JsonSchema, value: Value): Result<void, SchemaProblem[]> {
  const validator = compileSchema(schema)
  if (validator.ok) return validator.value(value)
  const [first] = validator.error
  const message = `invalid schema: ${first === undefined ? '' : messageWithHint(first)}`
  return err([{ path: [], keyword: 'schema', message }])
}
