/** A schema with its references followed and its patterns compiled once for many values. */
import { defaultLimits, err, type Limits, ok, type Regex, type Result, type ValueRecord } from '@joust/source'
import type { SchemaNode } from '../data-flow/schema-node.ts'
import type { JsonSchema } from '../model/document.ts'
import { compilePattern } from '../model/pattern.ts'
import { quote } from '../model/quote.ts'
import { type SchemaPosition, schemaPositions } from './positions.ts'
import { resolveReferences } from './references.ts'

/** A schema that values can be judged by. */
export interface PreparedSchema {
  readonly schema: JsonSchema
  readonly limits: Limits
  readonly positions: readonly SchemaPosition[]
  /** What the `$ref` of a subschema leads to. */
  readonly references: ReadonlyMap<ValueRecord, SchemaNode>
  /** The patterns met so far; see `patternOf`. */
  readonly patterns: Map<string, Result<Regex, string>>
}

/** Prepares a schema that is known to be valid. */
export function prepareSchema(schema: JsonSchema, limits: Limits = defaultLimits): PreparedSchema {
  const positions = schemaPositions(schema)
  return { schema, limits, positions, references: resolveReferences(positions), patterns: new Map() }
}

/** A pattern compiled, or why it cannot be. */
export function patternOf({ patterns, limits }: PreparedSchema, pattern: string): Result<Regex, string> {
  let known = patterns.get(pattern)
  if (known === undefined) {
    known = compile(pattern, patterns.size >= limits.documentExpressions, limits)
    patterns.set(pattern, known)
  }
  return known
}

function compile(pattern: string, tooMany: boolean, limits: Limits): Result<Regex, string> {
  if (tooMany) return err(`the schema has more than ${limits.documentExpressions} different patterns`)
  const compiled = compilePattern(pattern, limits)
  return compiled.ok ? ok(compiled.value) : err(`${quote(pattern)} is not an RE2 expression: ${compiled.error.message}`)
}
