/** Evaluates an `input_mapping`: from path expressions to the input of a sub-agent (Agent Format P-13 to P-18). */
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
import { type PathOutcome, resolvePath } from './resolve-path.ts'

/** The input or output of a source, with its schema. */
export interface MappingSource {
  readonly value: Value
  readonly schema: JsonSchema
}

/** Finds the input or output of `parent` or of an alias; undefined when it has not run. */
export type SourceLookup = (source: string, direction: PathDirection) => MappingSource | undefined

/** The codes of mapping errors. */
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
export interface MappingFault {
  readonly code: MappingCode
  readonly message: string
  readonly field: string
  /** In a batch, the index of the element. */
  readonly item?: number
}

/** Creates the input of a sub-agent, or returns all errors. */
export function mapInput(
  mapping: InputMapping,
  lookup: SourceLookup,
  target: JsonSchema,
): Result<ValueRecord, MappingFault[]> {
  return buildInput(
    Object.entries(mapping).map(([field, text]) => [field, resolveExpression(text, lookup)]),
    target,
  )
}

/** An error in the source of an expression. */
export interface SourceFault {
  readonly kind: 'fault'
  readonly code: MappingCode
  readonly message: string
}

/** The outcome of each field's expression. */
type FieldSources = readonly (readonly [field: string, outcome: PathOutcome | SourceFault])[]

/** Creates an input from the outcomes of its expressions. */
export function buildInput(sources: FieldSources, target: JsonSchema): Result<ValueRecord, MappingFault[]> {
  const input = {}
  const errors: MappingFault[] = []
  for (const [field, outcome] of sources) {
    const result = outcome.kind === 'fault' ? outcome : fitTarget(outcome, target, field)
    if (result.kind === 'value') setOwn(input, field, result.value)
    else if (result.kind !== 'omitted') errors.push({ code: result.code, message: result.message, field })
  }
  return errors.length === 0 ? ok(input) : err(errors)
}

/** Resolves the expression of a field. */
export function resolveExpression(text: string, lookup: SourceLookup): PathOutcome | SourceFault {
  const source = findSource(text, lookup)
  if ('kind' in source) return source
  return resolvePath(source.expression, source.value, declaresPath(source.schema, source.expression.segments))
}

/** Parses an expression and finds its source. */
export function findSource(
  text: string,
  lookup: SourceLookup,
): (MappingSource & { readonly expression: PathExpression }) | SourceFault {
  const expression = readPathExpression(text)
  if (!expression.ok) return { kind: 'fault', code: 'invalid_path_expression', message: expression.error.message }
  const { source, direction } = expression.value
  const match = lookup(source, direction)
  if (match === undefined) return { kind: 'fault', code: 'dependency_order', message: `${text}: ${source} has not run` }
  return { ...match, expression: expression.value }
}

/** The error of a field that cannot be set. */
interface FieldError {
  readonly kind: 'error'
  readonly code: 'type_mismatch' | 'field_absent' | 'missing_value' | 'null_for_required'
  readonly message: string
}

/** The outcome for a field of the target's input. */
type FieldOutcome = { readonly kind: 'value'; readonly value: Value } | { readonly kind: 'omitted' } | FieldError

/** Checks the value for one field of the input with the schema `target`. */
export function fitTarget(outcome: PathOutcome, target: JsonSchema, field: string): FieldOutcome {
  if (outcome.kind === 'error') return outcome
  const effort = newEffort()
  const together = conjuncts([rootNode(target)], effort)
  const nodes = propertyNodes(together, field)
  const required = requires(together, field, effort)
  if (outcome.kind === 'absent') {
    const fallback = defaultValue(conjuncts(nodes, effort))
    if (fallback !== undefined) return { kind: 'value', value: fallback }
    // OPEN-9: a missing optional value is omitted.
    return required
      ? failed('missing_value', `missing value for the required field ${quote(field)}`)
      : { kind: 'omitted' }
  }
  const { value } = outcome
  // OPEN-10: even if the type allows null.
  if (value === null && required)
    return failed('null_for_required', `the value for the required field ${quote(field)} is null`)
  const types = possibleTypes(nodes, effort)
  if ((types & typeOf(value)) !== 0) return { kind: 'value', value }
  return failed('type_mismatch', `${quote(field)} must be ${typeNames(types)}, got ${kindOf(value)}`)
}

function failed(code: FieldError['code'], message: string): FieldError {
  return { kind: 'error', code, message }
}
