/** Entries of a text with their offsets: list items, and keys with their values. */
import { columnOf, type OutlineNode, type Path, type Span } from '@joust/source'

type EntryForm = 'block' | 'flow' | 'scalar' | 'literal' | 'empty'

/** A key with its value, or a list item. */
export interface Entry {
  readonly path: Path
  /** The offset of the key or dash or, for a flow collection item, of the value. */
  readonly start: number
  /** The start column, from 0; absent in a flow collection, where columns have no meaning. */
  readonly column?: number
  /** Absent for an item. */
  readonly key?: Span
  value: Span
  form: EntryForm
  /** The value of an unquoted scalar; only set if the text could not be parsed. */
  text?: string
}

/** True if `path` is equal to `start` or below it. */
export function startsWith(path: Path, start: Path): boolean {
  return start.length <= path.length && start.every((step, index) => step === path[index])
}

/** True if an offset is inside a range or at its end. */
export function contains({ start, end }: Span, offset: number): boolean {
  return start <= offset && offset <= end
}

/** Returns the offset of the document end: the closing `...`, or the end of the text. */
export function documentEnd(text: string): number {
  const end = text.search(/(?<![^\r\n])\.{3}(?!\S)/)
  return end < 0 ? text.length : end
}

export function exactEntries(root: OutlineNode, text: string): Entry[] {
  const entries: Entry[] = []
  const pending: { readonly node: OutlineNode; readonly path: Path; readonly inFlow: boolean }[] = [
    { node: root, path: [], inFlow: false },
  ]
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    const { node, path } = at
    if (path.length > 0) entries.push(entryOf(node, path, text, at.inFlow))
    const inFlow = at.inFlow || node.form === 'flow'
    const children = node.children === undefined ? [] : [...node.children.entries()]
    for (const [step, child] of children.reverse()) pending.push({ node: child, path: [...path, step], inFlow })
  }
  return entries
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

/** Returns the width of an indentation. A tab, which YAML forbids, counts as two spaces. */
export function indentOf(space: string): number {
  return space.replaceAll('\t', '  ').length
}
