/** `input_mapping` while an agent runs: path expressions to the input of a sub-agent. */
import { err, ok, type Result, setOwn, type Value, type ValueRecord } from '@joust/source'
import type { AgentCode } from '../model/diagnostic.ts'
import type { JsonSchema } from '../model/document.ts'
import type { InputMapping } from '../model/policy.ts'
import { declaresPath } from './declares-path.ts'
import { fitTarget } from './fit-target.ts'
import { type PathDirection, type PathExpression, readPathExpression } from './path-expression.ts'
import { type PathOutcome, resolvePath } from './resolve-path.ts'

/** What a source was given or gave, with the schema it was checked against. */
export interface MappingSource {
  readonly value: Value
  readonly schema: JsonSchema
}

/** Finds the input or output of `parent` or of an alias; undefined when it has not run. */
export type SourceLookup = (source: string, direction: PathDirection) => MappingSource | undefined

/** The codes of a mapping that fails. */
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

/** Why an input could not be made. */
export interface MappingFault {
  readonly code: MappingCode
  readonly message: string
  readonly field: string
  /** The element of the list, in a batch. */
  readonly item?: number
}

/** Makes the input of a sub-agent; all faults at once. */
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

/** A fault of an expression, before any field is looked at. */
export interface SourceFault {
  readonly kind: 'fault'
  readonly code: MappingCode
  readonly message: string
}

/** The outcome of each field's expression. */
type FieldSources = readonly (readonly [field: string, outcome: PathOutcome | SourceFault])[]

/** Puts an input together from the outcomes of its expressions. */
export function buildInput(sources: FieldSources, target: JsonSchema): Result<ValueRecord, MappingFault[]> {
  const input = {}
  const faults: MappingFault[] = []
  for (const [field, outcome] of sources) {
    const fitted = outcome.kind === 'fault' ? outcome : fitTarget(outcome, target, field)
    if (fitted.kind === 'value') setOwn(input, field, fitted.value)
    else if (fitted.kind !== 'omitted') faults.push({ code: fitted.code, message: fitted.message, field })
  }
  return faults.length === 0 ? ok(input) : err(faults)
}

/** Follows the expression of a field to its value. */
export function resolveExpression(text: string, lookup: SourceLookup): PathOutcome | SourceFault {
  const found = findSource(text, lookup)
  if ('kind' in found) return found
  return resolvePath(found.expression, found.value, declaresPath(found.schema, found.expression.segments))
}

/** Reads an expression and finds what it reads from. */
export function findSource(
  text: string,
  lookup: SourceLookup,
): (MappingSource & { readonly expression: PathExpression }) | SourceFault {
  const expression = readPathExpression(text)
  if (!expression.ok) return { kind: 'fault', code: 'invalid_path_expression', message: expression.error.message }
  const { source, direction } = expression.value
  const found = lookup(source, direction)
  if (found === undefined) return { kind: 'fault', code: 'dependency_order', message: `${text}: ${source} has not run` }
  return { ...found, expression: expression.value }
}
