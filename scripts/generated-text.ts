/** Returns the doc comment of every entry in a limits table. */
export function limitDescriptions(source: string): Map<string, string> {
  const entries = source.matchAll(/^ {2}\/\*\* (.+) \*\/\n {2}(\w+):/gm)
  return new Map([...entries].map(([, description = '', name = '']) => [name, description]))
}

/** Formats JSON like this repository's formatter, with lists on one line if they fit. */
export function formattedJson(value: unknown): string {
  const lists = /^(.*)\[\n([^[\]{}]*)\n *\]/gm
  const whole = JSON.stringify(value, null, 2).replace(lists, (all, before: string, items: string) => {
    const line = `${before}[${items.trim().replaceAll(/\n */g, ' ')}]`
    return line.length < 120 ? line : all
  })
  return `${whole}\n`
}

/**
 * Fills paragraphs and breaks long lines between words, indented like their list item. Tables and headings are
 * unchanged. Pages have no code blocks.
 */
export function wrappedPage(text: string): string {
  return text
    .replaceAll(/(?<=^[\w`[(*].*)\n(?=[\w`[(*])/gm, ' ')
    .split('\n')
    .map((line) => (/^(?:\s*\||#)/.test(line) ? line : wrappedLine(line)))
    .join('\n')
}

function wrappedLine(line: string): string {
  const indent = ' '.repeat(/^\s*(?:- |\d+\. )?/.exec(line)?.[0].length ?? 0)
  const lines: string[] = []
  let rest = line
  while (rest.length > 120) {
    let at = rest.lastIndexOf(' ', 120)
    // A line that begins with one of these would become a list item, heading, quotation or table.
    while (at > indent.length && /^(?:[-+*#>|]|\d+\. )/.test(rest.slice(at + 1))) at = rest.lastIndexOf(' ', at - 1)
    if (at <= indent.length) break
    lines.push(rest.slice(0, at))
    rest = `${indent}${rest.slice(at + 1)}`
  }
  return [...lines, rest].join('\n')
}
