/** The doc comment of every entry in a table of limits. */
export function limitDescriptions(source: string): Map<string, string> {
  const entries = source.matchAll(/^ {2}\/\*\* (.+) \*\/\n {2}(\w+):/gm)
  return new Map([...entries].map(([, description = '', name = '']) => [name, description]))
}

/** JSON as the formatter of this repository writes it, with lists on one line if they fit. */
export function formattedJson(value: unknown): string {
  const lists = /^(.*)\[\n([^[\]{}]*)\n *\]/gm
  const whole = JSON.stringify(value, null, 2).replace(lists, (all, before: string, items: string) => {
    const line = `${before}[${items.trim().replaceAll(/\n */g, ' ')}]`
    return line.length < 120 ? line : all
  })
  return `${whole}\n`
}

/**
 * Fills paragraphs and breaks long lines of a page between words, below the text of their list item. Tables and headings
 * stay; a page has no code blocks.
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
    // A line that begins with one of these would be a list item, a heading, a quotation or a table.
    while (at > indent.length && /^(?:[-+*#>|]|\d+\. )/.test(rest.slice(at + 1))) at = rest.lastIndexOf(' ', at - 1)
    if (at <= indent.length) break
    lines.push(rest.slice(0, at))
    rest = `${indent}${rest.slice(at + 1)}`
  }
  return [...lines, rest].join('\n')
}
