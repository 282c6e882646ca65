/** Above this length of the part, the engine's own search can take time in proportion to both lengths multiplied. */
const LONG = 250

/** Where a text first contains a part, or -1; in time proportional to the sum of their lengths. */
export function findText(text: string, part: string): number {
  if (part.length <= LONG || part.length >= text.length) return text.indexOf(part)
  const borders = bordersOf(part)
  let matched = 0
  for (let index = 0; index < text.length; index++) {
    matched = extend(part, borders, matched, text.charCodeAt(index))
    if (matched === part.length) return index + 1 - part.length
  }
  return -1
}

/** Whether a text contains a part. */
export function containsText(text: string, part: string): boolean {
  return findText(text, part) >= 0
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

/** Where a match of a sticky expression ends that starts at an offset: at the offset itself when there is no match. */
export function matchEnd(sticky: RegExp, text: string, from: number): number {
  sticky.lastIndex = from
  return sticky.test(text) ? sticky.lastIndex : from
}
