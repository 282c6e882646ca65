/**
 * The maximum length of search strings for which the engine's search is used. For longer ones, that search can take
 * time proportional to the product of both lengths.
 */
const LONG = 250

/** Returns the first index of `part` in a text, or -1, in time linear in the sum of both lengths. */
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

export function containsText(text: string, part: string): boolean {
  return findText(text, part) >= 0
}

/** Returns the length of the longest border of each prefix (Knuth, Morris and Pratt). */
function bordersOf(part: string): Int32Array {
  const borders = new Int32Array(part.length)
  for (let index = 1; index < part.length; index++)
    borders[index] = extend(part, borders, borders[index - 1] ?? 0, part.charCodeAt(index))
  return borders
}

function extend(part: string, borders: Int32Array, matched: number, code: number): number {
  let length = matched
  while (length > 0 && part.charCodeAt(length) !== code) length = borders[length - 1] ?? 0
  return part.charCodeAt(length) === code ? length + 1 : length
}

/** Returns the end of a sticky expression's match at an offset, or the offset itself if there is no match. */
export function matchEnd(sticky: RegExp, text: string, from: number): number {
  sticky.lastIndex = from
  return sticky.test(text) ? sticky.lastIndex : from
}
