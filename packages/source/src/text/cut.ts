/** What is too long, made shorter: by characters here, by terminal columns in `render/fit.ts` of the command. */

/** The beginning of a text, at most so many UTF-16 units of it; no pair of surrogates is cut in two. */
export function beginning(text: string, most: number): string {
  return text.length <= most ? text : text.slice(0, most).replace(/[\ud800-\udbff]$/, '')
}

/** The same, with an ellipsis where it is not all of the text. */
export function cut(text: string, most: number): string {
  return text.length <= most ? text : `${beginning(text, most)}…`
}

/** A part of a text, with an ellipsis at each end where the text goes on; no pair of surrogates is cut in two. */
export function excerpt(text: string, start: number, end: number): string {
  const part = text.slice(start, end)
  const whole = start > 0 ? part.replace(/^[\udc00-\udfff]/, '') : part
  return `${start > 0 ? '…' : ''}${end < text.length ? `${whole.replace(/[\ud800-\udbff]$/, '')}…` : whole}`
}

/** The beginning and the end of a text that is longer than both, with an ellipsis between them. */
export function bothEnds(text: string, head: number, tail: number): string {
  if (text.length <= head + tail) return text
  return `${beginning(text, head)}…${text.slice(-tail).replace(/^[\udc00-\udfff]/, '')}`
}

/** The first of some things in words, and how many more there are. */
export function firstFew<T>(all: readonly T[], most: number, write: (one: T) => string = String): string[] {
  const more = all.length - most
  return [...all.slice(0, most).map(write), ...(more > 0 ? [`and ${more} more`] : [])]
}
