/** Returns the UTF-8 length of a text, exact only near the bound; otherwise any number on the same side of it. */
export function utf8Length(text: string, bound: number): number {
  if (text.length > bound || text.length * 3 <= bound) return text.length
  let bytes = text.length
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff)) bytes += 2
    else if (unit > 0x7f) bytes += 1 // a surrogate pair is two units and four bytes
  }
  return bytes
}

/** Returns the number of code points in a text. A lone surrogate counts as one. */
export function countCodePoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}
