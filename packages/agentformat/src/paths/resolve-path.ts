/** Resolves path expressions during a run (Agent Format P-05, P-06, OPEN-8, OPEN-11). */
import { err, isList, isRecord, kindOf, ok, own, type Result, type Value } from '@joust/source'
import { EACH, type PathExpression } from './path-expression.ts'

/** The error of an expression that cannot be resolved. */
export interface PathError {
  readonly code: 'type_mismatch' | 'field_absent'
  readonly message: string
}

/** The value at a path. Undefined for a declared but missing field, which only the target's schema can reject. */
export type PathOutcome = Result<Value | undefined, PathError>

/** One outcome per list element. Undefined if the list is missing. */
type ItemsOutcome = Result<readonly PathOutcome[] | undefined, PathError>

/**
 * Resolves an expression in its source's input or output. `declared` is true if the source's schema declares the path.
 *
 * @example
 * const city = resolvePath(unwrap(parsePathExpression('parent.input.city')), { city: 'Oslo' }, true)
 */
export function resolvePath(expression: PathExpression, root: Value, declared: boolean): PathOutcome {
  const { segments, text } = expression
  if (segments.includes(EACH)) return mismatch(`${text}: "[]" is allowed only in a batch`)
  return settle(walk(segments, root, text), text, declared)
}

/** True if the source's schema declares the list (`list`), or the whole path of an expression with `[]` (`item`). */
interface DeclaredItems {
  readonly list: boolean
  readonly item: boolean
}

/** Resolves an expression with `[]`: first the list, then the rest of the path in each element. */
export function resolveItems(expression: PathExpression, root: Value, declared: DeclaredItems): ItemsOutcome {
  const { segments, text } = expression
  const each = segments.indexOf(EACH)
  if (each < 0) return mismatch(`${text} does not iterate over a list`)
  const list = settle(walk(segments.slice(0, each), root, text), text, declared.list)
  if (!list.ok || list.value === undefined) return list as Result<undefined, PathError>
  if (!isList(list.value)) return mismatch(`${text}: expected a list, got ${kindOf(list.value)}`)
  const rest = segments.slice(each + 1)
  return ok(list.value.map((item) => settle(walk(rest, item, text), text, declared.item)))
}

function walk(segments: readonly string[], root: Value, text: string): PathOutcome {
  let value = root
  for (const segment of segments) {
    if (value === null) return ok(undefined)
    if (!isRecord(value)) return mismatch(`${text}: cannot read ${segment} of ${kindOf(value)}`)
    const next = own(value, segment)
    if (next === undefined) return ok(undefined)
    value = next
  }
  return ok(value)
}

function settle(outcome: PathOutcome, text: string, declared: boolean): PathOutcome {
  if (!outcome.ok || outcome.value !== undefined || declared) return outcome
  return err({ code: 'field_absent', message: `${text} is missing and not declared in the schema` })
}

function mismatch(message: string): Result<never, PathError> {
  return err({ code: 'type_mismatch', message })
}
