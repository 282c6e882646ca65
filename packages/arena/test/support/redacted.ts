import type { Redacted } from '../../src/model/redacted.ts'

/** Takes a value for one without secrets, for tests of what writes it. */
export function redacted<T>(value: T): Redacted<T> {
  return value as Redacted<T>
}
