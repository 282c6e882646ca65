/** Evaluates an `input_mapping`: creates the input of a sub-agent from path expressions (Agent Format P-13 to P-18). */
import { err, kindOf, ok, type Result, setOwn, type Value, type ValueRecord } from '@joust/source'
import { newEffort } from '../data-flow/effort.ts'
import { typeNames, typeOf } from '../data-flow/json-types.ts'
import { possibleTypes } from '../data-flow/possible-types.ts'
import { conjuncts, rootNode } from '../data-flow/schema-node.ts'
import { defaultValue, propertyNodes, requires } from '../data-flow/schema-parts.ts'
import type { AgentCode } from '../model/diagnostic.ts'
import type { JsonSchema } from '../model/document.ts'
import type { InputMapping } from '../model/policy.ts'
import { quote } from '../model/quote.ts'
import { declaresPath } from './declares-path.ts'
import { type PathDirection, type PathExpression, readPathExpression } from './path-expression.ts'
import { resolvePath } from './resolve-path.ts'

/** The input or output of a source, and its schema. */
export interface MappingSource {
  readonly value: Value
  readonly schema: JsonSchema
}

/** Returns the input or output of `parent` or of an alias. Undefined if the agent has not run. */
export type SourceLookup = (source: string, direction: PathDirection) => MappingSource | undefined

export type MappingCode = Extract<
  AgentCode,
  | 'batch_without_iteration'
  | 'dependency_order'
  | 'field_absent'
  | 'invalid_path_expression'
  | 'length_mismatch'
  | 'missing_value'
  | 'null_for_required'
  | 'type_mismatch'
>

/** An error in a mapping. */
export interface MappingFault extends SourceFault {
  readonly field: string
  /** The index of the batch element. */
  readonly item?: number
}

/**
 * Creates the input of a sub-agent, or returns all errors.
 *
 * @example
 * const source = { value: { city: 'Oslo' }, schema: {} }
 * const input = mapInput({ town: 'parent.input.city' }, () => source, { type: 'object' })
 */
export function mapInput(
  mapping: InputMapping,
  lookup: SourceLookup,
  target: JsonSchema,
): Result<ValueRecord, MappingFault[]> {
  const sources = Object.entries(mapping).map(([field, text]) => [field, resolveExpression(text, lookup)] as const)
  return buildInput(sources, target)
}

/** An error in a path expression or its source. */
export interface SourceFault {
  readonly code: MappingCode
  readonly message: string
}

/** The value at a path, or the error. */
export type SourceOutcome = Result<Value | undefined, SourceFault>

type FieldSources = readonly (readonly [field: string, outcome: SourceOutcome])[]

export function buildInput(sources: FieldSources, target: JsonSchema): Result<ValueRecord, MappingFault[]> {
  const input = {}
  const errors: MappingFault[] = []
  for (const [field, outcome] of sources) {
    const result = outcome.ok ? fitTarget(outcome.value, target, field) : outcome
    if (!result.ok) errors.push({ ...result.error, field })
    else if (result.value !== undefined) setOwn(input, field, result.value)
  }
  return errors.length === 0 ? ok(input) : err(errors)
}

/**
 * Resolves the expression of a field.
 *
 * @example
 * const source = { value: { city: 'Oslo' }, schema: {} }
 * const city = resolveExpression('parent.input.city', () => source)
 */
export function resolveExpression(text: string, lookup: SourceLookup): SourceOutcome {
  const source = findSource(text, lookup)
  if (!source.ok) return source
  const { expression, value, schema } = source.value
  return resolvePath(expression, value, declaresPath(schema, expression.segments))
}

export function findSource(
  text: string,
  lookup: SourceLookup,
): Result<MappingSource & { readonly expression: PathExpression }, SourceFault> {
  const expression = readPathExpression(text)
  if (!expression.ok) return err({ code: 'invalid_path_expression', message: expression.error.message })
  const { source, direction } = expression.value
  const match = lookup(source, direction)
  if (match === undefined) return err({ code: 'dependency_order', message: `${text}: ${source} has not run` })
  return ok({ ...match, expression: expression.value })
}

interface FieldError {
  readonly code: 'type_mismatch' | 'missing_value' | 'null_for_required'
  readonly message: string
}

/** The value of an input field. Undefined if the field is omitted. */
type FieldOutcome = Result<Value | undefined, FieldError>

/** Checks a value against a field of the input schema `target`. */
export function fitTarget(value: Value | undefined, target: JsonSchema, field: string): FieldOutcome {
  const effort = newEffort()
  const together = conjuncts([rootNode(target)], effort)
  const nodes = propertyNodes(together, field)
  const required = requires(together, field, effort)
  if (value === undefined) {
    const fallback = defaultValue(conjuncts(nodes, effort))
    if (fallback !== undefined) return ok(fallback)
    // OPEN-9: a missing optional value is omitted.
    return required ? failed('missing_value', `missing value for the required field ${quote(field)}`) : ok(undefined)
  }
  // OPEN-10: null is rejected even if the type allows it.
  if (value === null && required)
    return failed('null_for_required', `the value for the required field ${quote(field)} is null`)
  const types = possibleTypes(nodes, effort)
  if ((types & typeOf(value)) !== 0) return ok(value)
  return failed('type_mismatch', `${quote(field)} must be ${typeNames(types)}, got ${kindOf(value)}`)
}

function failed(code: FieldError['code'], message: string): Result<never, FieldError> {
  return err({ code, message })
}
