/** The beginning of a text, with an ellipsis where it is not all of it; no pair of surrogates is cut in two. */
export function cutTo(text: string, most: number): string {
  if (text.length <= most) return text
  return `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`
}
