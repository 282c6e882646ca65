import type { Path } from '../path.ts'
import { isList, isRecord, setOwn, type Value } from '../value.ts'
import { sameValue } from './same-value.ts'

/** One difference between two values, with the whole value after it. */
export interface Change {
  readonly path: Path
  readonly after: Value
  /** Whether what stands there is to be written anew at once. */
  readonly whole?: boolean
}

/** The differences between two values one at a time: each starts from what the one before it made. */
export function* changesBetween(before: Value, after: Value): Generator<Change> {
  let now = before
  for (const { path, value } of differences(before, after, [])) {
    const next = replaced(now, path, value)
    yield { path, after: next }
    now = next
  }
}

function* differences(before: Value, after: Value, path: Path): Generator<{ path: Path; value: Value }> {
  if (sameValue(before, after)) return
  if (isList(before) && isList(after) && before.length === after.length) {
    for (const [index, item] of before.entries()) yield* differences(item, after[index] ?? null, [...path, index])
  } else if (isRecord(before) && isRecord(after) && sameValue(Object.keys(before), Object.keys(after))) {
    for (const [key, child] of Object.entries(before)) yield* differences(child, after[key] ?? null, [...path, key])
  } else yield { path, value: after }
}

/** A copy with another value at a path that is there. */
function replaced(root: Value, [step, ...rest]: Path, value: Value): Value {
  if (step === undefined) return value
  if (isList(root)) return root.map((item, index) => (index === step ? replaced(item, rest, value) : item))
  if (!isRecord(root)) return root
  const copy = {}
  for (const [key, child] of Object.entries(root))
    setOwn(copy, key, key === step ? replaced(child, rest, value) : child)
  return copy
}
