/** A fenced block in a Markdown file. */
export interface Fence {
  /** The line of the opening fence, 1-based. */
  readonly line: number
  readonly language: string
  /** The words after the language: `invalid`, `exit=3`, `scratch`. */
  readonly marks: readonly string[]
  readonly text: string
}

/** The fenced blocks in a Markdown text; those in lists lose their indentation. */
export function fencesOf(markdown: string): Fence[] {
  const found: Fence[] = []
  let open: { line: number; info: string; indent: number; lines: string[] } | undefined
  for (const [index, line] of markdown.split(/\r?\n/).entries()) {
    const fence = /^( *)```(.*)$/.exec(line)
    if (fence === null) {
      open?.lines.push(line.slice(Math.min(open.indent, line.length - line.trimStart().length)))
    } else if (open === undefined) {
      open = { line: index + 1, info: (fence[2] ?? '').trim(), indent: (fence[1] ?? '').length, lines: [] }
    } else {
      const [language = '', ...marks] = open.info.split(' ')
      found.push({ line: open.line, language, marks, text: open.lines.map((text) => `${text}\n`).join('') })
      open = undefined
    }
  }
  if (open !== undefined) throw new Error(`the fence at line ${open.line} is not closed`)
  return found
}

/** The block right after a block, if it shows that block's output. */
export function outputAfter(fences: readonly Fence[], fence: Fence): string | undefined {
  const next = fences[fences.indexOf(fence) + 1]
  return next?.language === 'text' ? next.text : undefined
}

/** A command and, if shown, its output. */
export interface ShownCommand {
  readonly command: string
  readonly output: string | undefined
}

/**
 * The commands of an `sh` block (one per line) or of a `console` block (after `$ `, their output below). A line that ends
 * in a backslash continues on the next.
 */
export function commandsOf({ language, text: written }: Fence): ShownCommand[] {
  const text = written.replaceAll(/ \\\n */g, ' ')
  const lines = text.split('\n').filter((line) => line !== '')
  if (language === 'sh') {
    return lines.filter((line) => !line.startsWith('#')).map((command) => ({ command, output: undefined }))
  }
  return text
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [command = '', ...output] = part.split('\n')
      const shown = output.join('\n')
      return { command, output: shown.trim() === '' ? undefined : shown }
    })
}
