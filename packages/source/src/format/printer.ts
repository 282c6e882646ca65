import { valueAt } from '../model/path.ts'
import type { Value } from '../model/value.ts'
import { type Part, partsOf } from '../patch/parts.ts'
import { isPlainWord } from '../patch/write-value.ts'
import { doubleQuoted } from '../text/printable.ts'
import type { OutlineNode } from '../yaml/outline.ts'
import type { OpenSource } from '../yaml/read-source.ts'
import { columnOf, lineEnd } from '../yaml/scan.ts'
import { BREAK, Page } from './page.ts'

export function printFormatted(source: OpenSource): string {
  const root = source.blocks()
  const { text } = source
  const page = new Page(text, source.comments())
  const start = root.properties ?? root.start
  page.head(start)
  if (root.form === 'block') {
    if (root.properties !== undefined) page.line(0, propertiesOf(text, root))
    printCollection(page, root, source.value, 0)
  } else {
    page.line(0, '')
    printValue(page, root, source.value, 0)
  }
  return page.end(root.end)
}

/** Prints a block collection at a column. The first element may continue the current line. */
function printCollection(page: Page, node: OutlineNode, value: Value, column: number, continues = false): void {
  const keys = node.children instanceof Map ? [...node.children.keys()] : undefined
  for (const [index, part] of partsOf(page.text, node).entries()) {
    const old = columnOf(page.text, part.start)
    const startsLine = page.comments(part.start, old, column, continues && index === 0)
    const head = keys === undefined ? '-' : `${keyText(page, part, keys[index] ?? '')}:`
    if (startsLine) page.line(column, head)
    else page.add(` ${head}`)
    page.level(old, column)
    page.done(part.after)
    const child = valueAt(value, [keys?.[index] ?? index]) ?? null
    printValue(page, part.node, child, column, keys === undefined ? 'item' : 'entry')
  }
}

function printValue(
  page: Page,
  node: OutlineNode,
  value: Value,
  column: number,
  kind: 'entry' | 'item' | 'root' = 'root',
): void {
  if (node.form === 'block') {
    const properties = propertiesOf(page.text, node)
    if (properties !== '') page.add(` ${properties}`)
    printCollection(page, node, value, column + 2, kind === 'item' && properties === '')
    return
  }
  const start = node.properties ?? node.start
  if (node.form === 'empty' && node.properties === undefined) return
  const startsLine = kind !== 'root' && page.comments(start, columnOf(page.text, start), column + 2, true)
  const lines = linesOf(page, node, value, column, startsLine || kind === 'item' ? column + 2 : column)
  if (startsLine) page.line(column + 2, lines[0] ?? '')
  else page.add(kind === 'root' ? (lines[0] ?? '') : ` ${lines[0] ?? ''}`)
  for (const line of lines.slice(1)) page.line(0, line)
  page.done(node.end)
}

function keyText(page: Page, { node }: Part, key: string): string {
  const { keyStart = 0, keyEnd = 0 } = node
  const written = page.text.slice(keyStart, keyEnd)
  if (/^["']/.test(written) && isPlainWord(key)) return key
  if (/[\r\n]/.test(written) || /^[|>]/.test(written)) return doubleQuoted(key)
  return written.startsWith('*') ? `${written} ` : written
}

/** Prints a scalar, alias or flow collection at column `base` as lines. All lines except the first are indented. */
function linesOf(page: Page, node: OutlineNode, value: Value, column: number, base: number): string[] {
  const { form, start, end } = node
  const properties = propertiesOf(page.text, node)
  const lead = properties === '' ? '' : `${properties} `
  const written = page.text.slice(start, end)
  if (form === 'empty') return [properties]
  if (form === 'literal' || form === 'folded') return blockScalar(page, node, lead, column + 2)
  const quoted = form === 'single' || form === 'double'
  const [first = '', ...rest] = written.split(BREAK)
  const onlyLine = rest.length === 0 && properties === ''
  if (quoted && onlyLine && typeof value === 'string' && isPlainWord(value)) return [value]
  const shift = form === 'flow' ? base - marginWidth(page.text, start) : undefined
  return [`${lead}${rest.length > 0 ? first.trimEnd() : first}`, ...rest.map((line) => indented(line, column, shift))]
}

function blockScalar(page: Page, node: OutlineNode, lead: string, indent: number): string[] {
  const { start, end, indent: old = 0 } = node
  const headerEnd = lineEnd(page.text, start)
  const [, style = '|', marks = '', comment = ''] =
    /^([|>])([-+0-9]*)(.*)$/.exec(page.text.slice(start, headerEnd)) ?? []
  const explicit = /[0-9]/.test(marks) ? '2' : ''
  const header = `${lead}${style}${explicit}${marks.replace(/[0-9]/, '')}${comment.trimEnd()}`
  if (end <= headerEnd) return [header]
  const content = page.text.slice(headerEnd, end).split(BREAK).slice(1)
  const margin = ' '.repeat(indent)
  return [
    header,
    ...content.map((line) => (line.length <= old && line.trim() === '' ? '' : `${margin}${line.slice(old)}`)),
  ]
}

/** Indents a continuation line: to a fixed column in a scalar, by `shift` in a flow collection. */
function indented(line: string, column: number, shift: number | undefined): string {
  const content = line.trim()
  if (content === '') return ''
  const width = shift === undefined ? column + 2 : Math.max(0, line.search(/\S/) + shift)
  // An escaped trailing space is part of the scalar.
  return `${' '.repeat(width)}${/\\\s+$/.test(line) ? line.trimStart() : content}`
}

function marginWidth(text: string, offset: number): number {
  const line = text.slice(offset - columnOf(text, offset), offset)
  return Math.max(0, `${line}x`.search(/[^ -]/))
}

function propertiesOf(text: string, { properties, start, end, form }: OutlineNode): string {
  if (properties === undefined) return ''
  const written = form === 'empty' ? text.slice(properties, end) : text.slice(properties, start)
  return (written.match(/(?<!\S)[&!]\S*/g) ?? []).join(' ')
}
