/** Resolves path expressions while an agent runs (Agent Format P-05, P-06, OPEN-8, OPEN-11). */
import { isList, isRecord, kindOf, own, type Value } from '@joust/source'
import { EACH, type PathExpression } from './path-expression.ts'

/** The error of an expression that cannot be resolved. */
export interface PathError {
  readonly kind: 'error'
  readonly code: 'type_mismatch' | 'field_absent'
  readonly message: string
}

/** The outcome of an expression. `absent`: the field is declared but missing, and the target's schema decides. */
export type PathOutcome = { readonly kind: 'found'; readonly value: Value } | { readonly kind: 'absent' } | PathError

/** The outcome of an expression with `[]`: one outcome per element. */
export type ItemsOutcome =
  | { readonly kind: 'items'; readonly items: readonly PathOutcome[] }
  | { readonly kind: 'absent' }
  | PathError

/** Resolves an expression in the input or output of its source. `declared`: the source's schema has the path. */
export function resolvePath(expression: PathExpression, root: Value, declared: boolean): PathOutcome {
  const { segments, text } = expression
  if (segments.includes(EACH)) return mismatch(`${text}: "[]" is allowed only in a batch`)
  return settle(walk(segments, root, text), text, declared)
}

/** The parts of an expression with `[]` that the source's schema declares: the path of the list, and the whole path. */
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
  if (list.kind !== 'found') return list
  if (!isList(list.value)) return mismatch(`${text}: expected a list, got ${kindOf(list.value)}`)
  const rest = segments.slice(each + 1)
  return { kind: 'items', items: list.value.map((item) => settle(walk(rest, item, text), text, declared.item)) }
}

function walk(segments: readonly string[], root: Value, text: string): PathOutcome {
  let value = root
  for (const segment of segments) {
    if (value === null) return { kind: 'absent' }
    if (!isRecord(value)) return mismatch(`${text}: cannot read ${segment} of ${kindOf(value)}`)
    const next = own(value, segment)
    if (next === undefined) return { kind: 'absent' }
    value = next
  }
  return { kind: 'found', value }
}

function settle(outcome: PathOutcome, text: string, declared: boolean): PathOutcome {
  if (outcome.kind !== 'absent' || declared) return outcome
  return { kind: 'error', code: 'field_absent', message: `${text} is missing, and its schema does not declare it` }
}

function mismatch(message: string): PathError {
  return { kind: 'error', code: 'type_mismatch', message }
}
