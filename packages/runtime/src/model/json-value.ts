/** JSON values: deep copies, parsing and serialization. */
import {
  err,
  isRecord,
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

/** Copies a value as JSON, or returns the reason why this is impossible. A top-level `undefined` becomes null. */
export function toValue(input: unknown): Result<Value, string> {
  try {
    return ok(copy(input === undefined ? null : input, 0, { parts: runtimeLimits.valueParts }))
  } catch (thrown) {
    return err(thrown instanceof NotJson ? thrown.message : 'the value cannot be read')
  }
}

/** Parses JSON. All numbers are doubles, as libraries for models and protocols expect. */
export function readDoubles(text: string, limits?: Limits): Result<Value, SourceDiagnostic[]> {
  const json = readJson(text, limits)
  return json.ok ? ok(toDoubles(json.value)) : json
}

/** Returns strings unchanged, and other values as JSON. */
export function textOf(value: Value): string {
  const text = valueToText(value, 'document')
  return text.ok ? text.value : '[nested too deeply to show]'
}

/** Looks up a dotted name in a value. */
export function lookUp(name: string, root: Value): Value | undefined {
  let value: Value | undefined = root
  for (const segment of name.split('.')) value = own(value, segment)
  return value
}

class NotJson extends Error {}

function copy(input: unknown, depth: number, budget: { parts: number }): Value {
  budget.parts -= 1
  if (depth > runtimeLimits.valueDepth || budget.parts < 0) throw new NotJson('the value is too large or circular')
  if (input === null || typeof input === 'string' || typeof input === 'boolean') return input
  if (typeof input === 'number') {
    if (Number.isFinite(input)) return input
    throw new NotJson(`${input} is not a JSON number`)
  }
  if (typeof input !== 'object') throw new NotJson(`a ${typeof input} is not JSON`)
  if (Array.isArray(input)) return input.map((item) => copy(item === undefined ? null : item, depth + 1, budget))
  if ('toJSON' in input && typeof input.toJSON === 'function') return copy(input.toJSON(), depth + 1, budget)
  const record = {}
  for (const [key, child] of Object.entries(input)) {
    if (child !== undefined) setOwn(record, key, copy(child, depth + 1, budget))
  }
  return record
}

/**
 * Formats an input for a model: strings unchanged, objects as one labelled field per line, other values as JSON. Text
 * with line breaks begins below its label.
 */
export function promptText(input: Value): string {
  if (!isRecord(input)) return textOf(input)
  const fields = Object.entries(input).map(([name, value]) => {
    const text = textOf(value)
    return `${name}:${text.includes('\n') ? '\n' : ' '}${text}`
  })
  return fields.length === 0 ? '{}' : fields.join('\n')
}
