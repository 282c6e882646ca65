/** The subsets of a list: those of one size, or all but the empty one, small ones first, in the order of the list. */
export function* subsetsOf<T>(list: readonly T[], only?: number): Generator<readonly T[], void, void> {
  const sizes = only === undefined ? list.map((_, index) => index + 1) : [only]
  for (const size of sizes) yield* ofSize(list, size, 0)
}

function* ofSize<T>(list: readonly T[], size: number, from: number): Generator<readonly T[], void, void> {
  if (size === 0) {
    yield []
    return
  }
  for (let at = from; at <= list.length - size; at++) {
    const first = list.slice(at, at + 1)
    for (const rest of ofSize(list, size - 1, at + 1)) yield [...first, ...rest]
  }
}
