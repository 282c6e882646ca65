/** The entries of a text: keys with their values and items of lists, each with its place. All places are offsets. */
import { columnOf, type OutlineNode, type Path, type Span } from '@joust/source'

/** How a value is written. */
type EntryForm = 'block' | 'flow' | 'scalar' | 'literal' | 'empty'

/** A key with its value, or an item of a list. */
export interface Entry {
  readonly path: Path
  /** Where it begins: at its key, at its dash, or at the value of an item of a flow collection. */
  readonly start: number
  /** The column of its beginning, counted from 0; in a flow collection columns mean nothing, and it has none. */
  readonly column?: number
  /** Where the key is; an item has none. */
  readonly key?: Span
  value: Span
  form: EntryForm
  /** What a scalar says, without quotes; only where the text could not be read as a whole. */
  text?: string
}

/** Whether a path is, or is below, another path. */
export function startsWith(path: Path, start: Path): boolean {
  return start.length <= path.length && start.every((step, index) => step === path[index])
}

/** Whether an offset is inside a stretch of text or at its end. */
export function contains({ start, end }: Span, offset: number): boolean {
  return start <= offset && offset <= end
}

/** Where a document ends: before the `...` that closes it, or with the text. */
export function documentEnd(text: string): number {
  const end = text.search(/(?<![^\r\n])\.{3}(?!\S)/)
  return end < 0 ? text.length : end
}

/** The entries of a text that was read as a whole, in the order of the text. */
export function exactEntries(root: OutlineNode, text: string): Entry[] {
  const found: Entry[] = []
  const pending: { readonly node: OutlineNode; readonly path: Path; readonly inFlow: boolean }[] = [
    { node: root, path: [], inFlow: false },
  ]
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    const { node, path } = at
    if (path.length > 0) found.push(entryOf(node, path, text, at.inFlow))
    const inFlow = at.inFlow || node.form === 'flow'
    const children = node.children === undefined ? [] : [...node.children.entries()]
    for (const [step, child] of children.reverse()) pending.push({ node: child, path: [...path, step], inFlow })
  }
  return found
}

function entryOf(node: OutlineNode, path: Path, text: string, inFlow: boolean): Entry {
  const { keyStart, keyEnd } = node
  const key = keyStart === undefined || keyEnd === undefined ? {} : { key: { start: keyStart, end: keyEnd } }
  const start = key.key?.start ?? (inFlow ? node.start : dashBefore(node, text))
  const column = inFlow ? {} : { column: columnOf(text, start) }
  return { path, start, ...column, ...key, value: { start: node.start, end: node.end }, form: forms[node.form] }
}

const forms: { readonly [form in OutlineNode['form']]: EntryForm } = {
  block: 'block',
  flow: 'flow',
  plain: 'scalar',
  single: 'scalar',
  double: 'scalar',
  alias: 'scalar',
  literal: 'literal',
  folded: 'literal',
  empty: 'empty',
}

function dashBefore(node: OutlineNode, text: string): number {
  const from = node.properties ?? node.start
  const before = /-\s*(?:#[^\r\n]*\s*)*$/.exec(text.slice(Math.max(0, from - 1000), from))
  return before === null ? from : from - before[0].length
}

/** How far some white space indents; a tab, which YAML forbids there, as far as two spaces. */
export function indentOf(space: string): number {
  return space.replaceAll('\t', '  ').length
}
