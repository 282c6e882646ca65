/** The doc sentence of every entry in the table of limits. */
export function limitDescriptions(source: string): Map<string, string> {
  const entries = source.matchAll(/^ {2}\/\*\* (.+) \*\/\n {2}(\w+):/gm)
  return new Map([...entries].map(([, description = '', name = '']) => [name, description]))
}

/** JSON as this repository's formatter leaves it: lists on one line where they fit. */
export function formattedJson(value: unknown): string {
  const lists = /^(.*)\[\n([^[\]{}]*)\n *\]/gm
  const whole = JSON.stringify(value, null, 2).replace(lists, (all, before: string, items: string) => {
    const line = `${before}[${items.trim().replaceAll(/\n */g, ' ')}]`
    return line.length < 120 ? line : all
  })
  return `${whole}\n`
}
