/** Returns the number of the text at a place in a sequence of texts. `starts` are the places where the texts start. */
export function textAt(starts: readonly number[], place: number): number {
  let [low, high] = [0, starts.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((starts[middle] ?? 0) <= place) low = middle
    else high = middle - 1
  }
  return low
}
