/** Shortens text by characters. `render/fit.ts` in the command line package shortens it by terminal columns. */

/** Returns the first `most` UTF-16 units of a text, without splitting a surrogate pair. */
export function beginning(text: string, most: number): string {
  return text.length <= most ? text : text.slice(0, most).replace(/[\ud800-\udbff]$/, '')
}

/** Like `beginning`, but adds an ellipsis if the text is shortened. */
export function cut(text: string, most: number): string {
  return text.length <= most ? text : `${beginning(text, most)}…`
}

/** Extracts part of a text, with an ellipsis where text is omitted. Never splits a surrogate pair. */
export function excerpt(text: string, start: number, end: number): string {
  const part = text.slice(start, end)
  const whole = start > 0 ? part.replace(/^[\udc00-\udfff]/, '') : part
  return `${start > 0 ? '…' : ''}${end < text.length ? `${whole.replace(/[\ud800-\udbff]$/, '')}…` : whole}`
}

/**
 * Returns the first `head` and last `tail` units of a text with an ellipsis between them, or a shorter text unchanged.
 */
export function bothEnds(text: string, head: number, tail: number): string {
  if (text.length <= head + tail) return text
  return `${beginning(text, head)}…${text.slice(-tail).replace(/^[\udc00-\udfff]/, '')}`
}

/** Returns the first `most` items as text, followed by "and N more" if there are more. */
export function firstFew<T>(items: readonly T[], most: number, write: (item: T) => string = String): string[] {
  const more = items.length - most
  return [...items.slice(0, most).map(write), ...(more > 0 ? [`and ${more} more`] : [])]
}

/** Splits a message into its first line and the lines below it, such as a traceback. */
export function splitBlock(text: string): readonly [head: string, block: string] {
  const end = text.indexOf('\n')
  return end < 0 ? [text, ''] : [text.slice(0, end).trimEnd(), text.slice(end + 1)]
}
