import type { Redacted } from '../../src/model/redacted.ts'

/** Presents a value as free of secrets, for tests of what writes it. */
export function redacted<T>(value: T): Redacted<T> {
  return value as Redacted<T>
}
