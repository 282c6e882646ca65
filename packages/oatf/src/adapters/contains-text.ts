/** Above this length of the part, the engine's own search can take time in proportion to both lengths multiplied. */
const LONG = 250

/** Whether a text contains a part, in time proportional to the sum of their lengths. */
export function containsText(text: string, part: string): boolean {
  if (part.length <= LONG || part.length >= text.length) return text.includes(part)
  const borders = bordersOf(part)
  let matched = 0
  for (let index = 0; index < text.length; index++) {
    matched = extend(part, borders, matched, text.charCodeAt(index))
    if (matched === part.length) return true
  }
  return false
}

/** For every prefix of the part, the length of its longest border (Knuth, Morris and Pratt). */
function bordersOf(part: string): Int32Array {
  const borders = new Int32Array(part.length)
  for (let index = 1; index < part.length; index++) {
    borders[index] = extend(part, borders, borders[index - 1] ?? 0, part.charCodeAt(index))
  }
  return borders
}

/** How much of the part is matched after one more character. */
function extend(part: string, borders: Int32Array, matched: number, code: number): number {
  let length = matched
  while (length > 0 && part.charCodeAt(length) !== code) length = borders[length - 1] ?? 0
  return part.charCodeAt(length) === code ? length + 1 : length
}
