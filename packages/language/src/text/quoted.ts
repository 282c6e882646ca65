/** Where a quoted text that starts at an offset ends, after its quote; undefined when it is not closed before a limit. */
export function quotedEnd(text: string, start: number, limit: number): number | undefined {
  const quote = text.charAt(start)
  for (let offset = start + 1; offset < limit; offset++) {
    const character = text.charAt(offset)
    if (quote === '"' && character === '\\') offset++
    else if (character === quote) {
      if (quote !== "'" || text.charAt(offset + 1) !== "'") return offset + 1
      offset++
    }
  }
  return undefined
}

/** What a scalar on one line says, as far as that can be told while it is being typed. */
export function unquote(text: string): string {
  const quote = text.charAt(0)
  if (quote !== '"' && quote !== "'") return text.trim()
  const inner = text.slice(1, text.length > 1 && text.endsWith(quote) ? -1 : undefined)
  return quote === "'" ? inner.replaceAll("''", "'") : inner.replaceAll(/\\(["\\/])/g, '$1')
}
