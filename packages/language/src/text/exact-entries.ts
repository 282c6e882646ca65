import type { OutlineNode, Path } from '@joust/source'
import type { Entry, EntryForm } from './entry.ts'

/** The entries of a text that was read as a whole, in the order of the text. */
export function exactEntries(root: OutlineNode, text: string): Entry[] {
  const found: Entry[] = []
  const pending: { readonly node: OutlineNode; readonly path: Path }[] = [{ node: root, path: [] }]
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    const { node, path } = at
    if (path.length > 0) found.push(entryOf(node, path, text))
    const children = node.children === undefined ? [] : [...node.children.entries()]
    for (const [step, child] of children.reverse()) pending.push({ node: child, path: [...path, step] })
  }
  return found
}

function entryOf(node: OutlineNode, path: Path, text: string): Entry {
  const { keyStart, keyEnd } = node
  const key = keyStart === undefined || keyEnd === undefined ? undefined : { start: keyStart, end: keyEnd }
  const start = key?.start ?? dashBefore(node, text)
  const entry = { path, start, column: columnAt(text, start), value: { start: node.start, end: node.end } }
  return { ...entry, form: forms[node.form], ...(key === undefined ? {} : { key }) }
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

/** An item of a block list begins at its dash, one of a flow list with its value. */
function dashBefore(node: OutlineNode, text: string): number {
  const from = node.properties ?? node.start
  const before = /-\s*(?:#[^\r\n]*\s*)*$/.exec(text.slice(Math.max(0, from - 1000), from))
  return before === null ? from : from - before[0].length
}

/** The column of an offset, counted from 0. */
export function columnAt(text: string, offset: number): number {
  return offset - lineStart(text, offset)
}

/** Where the line of an offset starts. */
export function lineStart(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1
}
