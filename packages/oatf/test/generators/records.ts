import { setOwn, type Value } from '@joust/source'
import fc from 'fast-check'
import { anyValue } from './text.ts'

/** An object with some of the optional fields, in the order in which `model` names them. */
export function fields<T extends object, K extends keyof T & string = never>(
  model: { [P in keyof T]: fc.Arbitrary<T[P]> },
  requiredKeys: readonly K[] = [],
): fc.Arbitrary<Pick<T, K> & Partial<Omit<T, K>>> {
  // fast-check's type for this says the same in a form that the compiler cannot follow.
  const record = fc.record(model as never, { requiredKeys: [...requiredKeys] as never[], noNullPrototype: true })
  return record as unknown as fc.Arbitrary<Pick<T, K> & Partial<Omit<T, K>>>
}

const extension = fc.tuple(fc.constantFrom('x-acme', 'x-acme-note', 'x-', 'x-0'), anyValue, fc.nat())

/** The same objects with up to two extension fields somewhere between the others. */
export function extended<T extends object>(records: fc.Arbitrary<T>): fc.Arbitrary<T> {
  const some = fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(extension, { maxLength: 2 }) },
  )
  return fc.tuple(records, some).map(([record, extensions]) => {
    const entries: [string, unknown][] = Object.entries(record)
    for (const [name, value, at] of extensions) {
      if (entries.some(([key]) => key === name)) continue
      entries.splice(at % (entries.length + 1), 0, [name, value])
    }
    const copy = {}
    for (const [key, value] of entries) setOwn(copy, key, value)
    // The same fields, and some that every such object may have.
    return copy as T
  })
}

/** A mapping from generated keys. */
export function mapping(key: fc.Arbitrary<string>, value: fc.Arbitrary<Value>): fc.Arbitrary<{ [key: string]: Value }> {
  return fc.dictionary(key, value, { minKeys: 1, maxKeys: 3, noNullPrototype: true })
}
