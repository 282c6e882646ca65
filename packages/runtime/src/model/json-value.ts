/** Values of JSON: made from what host code passes in, sharing nothing with it; read from text, and written as text. */
import {
  err,
  type Limits,
  ok,
  own,
  type Result,
  readJson,
  type SourceDiagnostic,
  setOwn,
  toDoubles,
  type Value,
  valueToText,
} from '@joust/source'

import { runtimeLimits } from './limits.ts'

/** A deep copy of anything as JSON sees it, or why it is not JSON. At the top, `undefined` becomes null. */
export function toValue(thing: unknown): Result<Value, string> {
  try {
    return ok(copy(thing === undefined ? null : thing, 0, { left: runtimeLimits.valueParts }))
  } catch (thrown) {
    return err(thrown instanceof NotJson ? thrown.message : 'it cannot be read')
  }
}

/** Reads JSON. Every number is a double, as the libraries for models and protocols expect. */
export function readDoubles(text: string, limits?: Limits): Result<Value, SourceDiagnostic[]> {
  const json = readJson(text, limits)
  return json.ok ? ok(toDoubles(json.value)) : json
}

/** A string as it is, anything else as its JSON. */
export function textOf(value: Value): string {
  const text = valueToText(value, 'document')
  return text.ok ? text.value : '[nested too deeply to show]'
}

/** What a name with dots leads to in a value. */
export function lookUp(name: string, root: Value): Value | undefined {
  let value: Value | undefined = root
  for (const segment of name.split('.')) value = own(value, segment)
  return value
}

/** Thrown and caught in this file only. */
class NotJson extends Error {}

function copy(thing: unknown, depth: number, budget: { left: number }): Value {
  budget.left -= 1
  if (depth > runtimeLimits.valueDepth || budget.left < 0) throw new NotJson('it is too large, or contains itself')
  if (thing === null || typeof thing === 'string' || typeof thing === 'boolean') return thing
  if (typeof thing === 'number') {
    if (Number.isFinite(thing)) return thing
    throw new NotJson(`${thing} is not a JSON number`)
  }
  if (typeof thing !== 'object') throw new NotJson(`a ${typeof thing} is not JSON`)
  if (Array.isArray(thing)) return thing.map((item) => copy(item === undefined ? null : item, depth + 1, budget))
  if ('toJSON' in thing && typeof thing.toJSON === 'function') return copy(thing.toJSON(), depth + 1, budget)
  const record = {}
  for (const [key, child] of Object.entries(thing)) {
    if (child !== undefined) setOwn(record, key, copy(child, depth + 1, budget))
  }
  return record
}
