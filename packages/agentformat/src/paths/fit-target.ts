/** Checks a resolved value against its target: types, null, missing values, defaults (Agent Format P-13 to P-18). */
import { kindOf, type Value } from '@joust/source'
import { newEffort } from '../data-flow/effort.ts'
import { typeNames, typeOf } from '../data-flow/json-types.ts'
import { possibleTypes } from '../data-flow/possible-types.ts'
import { conjuncts, rootNode } from '../data-flow/schema-node.ts'
import { defaultValue, propertyNodes, requires } from '../data-flow/schema-parts.ts'
import type { JsonSchema } from '../model/document.ts'
import { quote } from '../model/quote.ts'
import type { PathOutcome } from './resolve-path.ts'

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
