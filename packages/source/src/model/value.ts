/**
 * A JSON-like tree (`Value` in [OATF SDK §2.1](https://oatf.io/sdk/core-types/)). Object keys are own properties only,
 * including `__proto__`. Parsers return a `bigint` only for an integer that a double cannot represent exactly (see
 * `exactInteger`).
 */
export type Value = null | boolean | number | bigint | string | readonly Value[] | ValueRecord

/** An object in a `Value` tree. */
export type ValueRecord = { readonly [key: string]: Value }

/** True for an object that is neither null nor an array. */
export function isRecord(value: unknown): value is ValueRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** True for an array. `Array.isArray` alone would give the items the type `any`. */
export function isList(value: unknown): value is readonly Value[] {
  return Array.isArray(value)
}

/** True for a number or a bigint. */
export function isNumeric(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint'
}

/** True for an integer, as a number or a bigint. */
export function isInteger(value: unknown): value is number | bigint {
  return typeof value === 'bigint' || Number.isInteger(value)
}

/**
 * Returns an own property of a value, never an inherited one; undefined if missing or if the value is not an object.
 */
export function own(value: unknown, key: string): Value | undefined {
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

/** Returns an own property of an object, if it is a string. */
export function ownText(value: unknown, key: string): string | undefined {
  const property = own(value, key)
  return typeof property === 'string' ? property : undefined
}

/** Returns the items of an object's own property; empty if it is not a list. */
export function ownList(value: unknown, key: string): readonly Value[] {
  const property = own(value, key)
  return isList(property) ? property : []
}

/** Sets an own property of any name, including `__proto__`. */
export function setOwn(record: object, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(record, key, { value, writable: true, enumerable: true, configurable: true })
  } else {
    // The record is being built, so it is mutable.
    ;(record as Record<string, unknown>)[key] = value
  }
}

type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

/** Copies an object without undefined fields, as `exactOptionalPropertyTypes` requires. */
export function defined<T extends object>(fields: T): Defined<T> {
  // The filter implements the type.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>
}

/** Returns a deep copy that shares nothing with its original. */
export function cloneValue<T>(value: T): T {
  return mapScalars(value, (scalar) => scalar)
}

/** Returns a deep copy with every number as a double, for code that uses `JSON.stringify`. */
export function toDoubles<T>(value: T): T {
  return mapScalars(value, (scalar) => (typeof scalar === 'bigint' ? Number(scalar) : scalar))
}

/** Returns a deep copy with a function applied to every scalar. Iterative, so that depth cannot exhaust the stack. */
export function mapScalars<T>(value: T, map: (scalar: unknown) => unknown): T {
  const pending: { from: object; into: object }[] = []
  const copy = (from: unknown): unknown => {
    if (typeof from !== 'object' || from === null) return map(from)
    const into = Array.isArray(from) ? [] : {}
    pending.push({ from, into })
    return into
  }
  const root = copy(value)
  // The list grows during the iteration.
  for (const { from, into } of pending) {
    if (Array.isArray(from) && Array.isArray(into)) for (const item of from) into.push(copy(item))
    else for (const [key, child] of Object.entries(from)) setOwn(into, key, copy(child))
  }
  // The loop rebuilds the same shape.
  return root as T
}

/** Returns the type of a value, for messages. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (isInteger(value)) return 'an integer'
  return kinds[typeof value] ?? typeof value
}

const kinds: { readonly [type: string]: string } = {
  object: 'a mapping',
  string: 'a string',
  number: 'a number',
  boolean: 'a boolean',
}
