/** The number of code points of a text; a lone surrogate counts as one. */
export function countCodePoints(text: string): number {
  let count = 0
  for (let index = 0; index < text.length; index++) {
    if ((text.codePointAt(index) ?? 0) > 0xffff) index++
    count++
  }
  return count
}
