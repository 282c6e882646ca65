/** Prepares a schema for repeated use: references are resolved and patterns compiled only once. */
import { defaultLimits, err, type Limits, ok, type Regex, type Result, type ValueRecord } from '@joust/source'
import type { SchemaNode } from '../data-flow/schema-node.ts'
import type { JsonSchema } from '../model/document.ts'
import { compilePattern } from '../model/pattern.ts'
import { quote } from '../model/quote.ts'
import { type SchemaPosition, schemaPositions } from './positions.ts'
import { resolveReferences } from './references.ts'

export interface PreparedSchema {
  readonly schema: JsonSchema
  readonly limits: Limits
  readonly positions: readonly SchemaPosition[]
  /** The target of each `$ref`, by subschema. */
  readonly references: ReadonlyMap<ValueRecord, SchemaNode>
  /** Compiled patterns, see `patternOf`. */
  readonly patterns: Map<string, Result<Regex, string>>
}

/** Prepares a valid schema. */
export function prepareSchema(schema: JsonSchema, limits: Limits = defaultLimits): PreparedSchema {
  const positions = schemaPositions(schema)
  return { schema, limits, positions, references: resolveReferences(positions), patterns: new Map() }
}

export function patternOf({ patterns, limits }: PreparedSchema, pattern: string): Result<Regex, string> {
  let compiled = patterns.get(pattern)
  if (compiled === undefined) {
    compiled = compile(pattern, patterns.size >= limits.documentExpressions, limits)
    patterns.set(pattern, compiled)
  }
  return compiled
}

function compile(pattern: string, tooMany: boolean, limits: Limits): Result<Regex, string> {
  if (tooMany) return err(`the schema has more than ${limits.documentExpressions} different patterns`)
  const compiled = compilePattern(pattern, limits)
  return compiled.ok ? ok(compiled.value) : err(`invalid RE2 pattern ${quote(pattern)}: ${compiled.error.message}`)
}
