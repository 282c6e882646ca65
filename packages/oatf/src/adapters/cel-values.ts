/** Converts JSON values to CEL values on access. Only own properties are visible. */
import { type CelList, type CelMap, type CelValue, celList, celMap, celUint } from '@bufbuild/cel'
import { invariant, isList, type Value, type ValueRecord } from '@joust/source'

/**
 * Converts a JSON value. An integer becomes an `int`, or a `uint` if too large for that; any other number a `double`.
 * Lists and objects are wrapped, not copied, so that unvisited items cost nothing.
 */
export function toCelValue(value: Value): CelValue {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value
  if (typeof value === 'bigint') return BigInt.asIntN(64, value) === value ? value : celUint(value)
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value !== 'object' || value === null) return null
  // The classes below have the library's brand, which its types keep private.
  return (isList(value) ? new ValueList(value) : new ValueMap(value)) as unknown as CelValue
}

class ValueList {
  readonly items: readonly Value[]

  constructor(items: readonly Value[]) {
    this.items = items
  }

  get size(): number {
    return this.items.length
  }

  get(index: number): CelValue | undefined {
    const item = this.items[index]
    return item === undefined ? undefined : toCelValue(item)
  }

  values(): IterableIterator<CelValue> {
    return this.items.map(toCelValue).values()
  }

  [Symbol.iterator](): IterableIterator<CelValue> {
    return this.values()
  }
}

class ValueMap {
  readonly record: ValueRecord
  #keys: readonly string[] | undefined

  constructor(record: ValueRecord) {
    this.record = record
  }

  get size(): number {
    return this.#list().length
  }

  /** True for a present field, even if it is null. The library's own maps return false for null. */
  has(key: unknown): boolean {
    return typeof key === 'string' && Object.hasOwn(this.record, key)
  }

  get(key: unknown): CelValue | undefined {
    if (typeof key !== 'string' || !Object.hasOwn(this.record, key)) return undefined
    return toCelValue(this.record[key] ?? null)
  }

  keys(): IterableIterator<string> {
    return this.#list().values()
  }

  *values(): IterableIterator<CelValue> {
    for (const key of this.#list()) yield toCelValue(this.record[key] ?? null)
  }

  *entries(): IterableIterator<[string, CelValue]> {
    for (const key of this.#list()) yield [key, toCelValue(this.record[key] ?? null)]
  }

  forEach(visit: (value: CelValue, key: string, map: unknown) => void): void {
    for (const [key, value] of this.entries()) visit(value, key, this)
  }

  [Symbol.iterator](): IterableIterator<[string, CelValue]> {
    return this.entries()
  }

  #list(): readonly string[] {
    this.#keys ??= Object.keys(this.record)
    return this.#keys
  }
}

/** The growing result of `map` or `filter`. The library would create one nested list per item instead. */
class GrowingList {
  readonly items: CelValue[] = []

  get size(): number {
    return this.items.length
  }

  get(index: number): CelValue | undefined {
    return this.items[index]
  }

  values(): IterableIterator<CelValue> {
    return this.items.values()
  }

  [Symbol.iterator](): IterableIterator<CelValue> {
    return this.items.values()
  }
}

export function growingList(): CelList {
  // Branded like the classes above.
  return new GrowingList() as unknown as CelList
}

export function addToList(list: unknown, item: CelValue): void {
  invariant(list instanceof GrowingList, 'expected a list created by growingList')
  list.items.push(item)
}

/** Concatenates lists. Shares the items instead of copying them. */
export function joinLists(left: CelList, right: CelList): CelList {
  const joined = growingList()
  for (const item of left) addToList(joined, item)
  for (const item of right) addToList(joined, item)
  return joined
}

brand(celList([]), ValueList.prototype, GrowingList.prototype)
brand(celMap(new Map()), ValueMap.prototype)

/** Brands a class as a list or map of the library, which recognizes them by a symbol. */
function brand(sample: CelList | CelMap, ...prototypes: readonly object[]): void {
  const symbols = Object.getOwnPropertySymbols(sample)
  invariant(symbols.length > 0, 'expected a branded value of the CEL library')
  for (const symbol of symbols) {
    for (const prototype of prototypes) Object.defineProperty(prototype, symbol, { value: {} })
  }
}
