import { parseJson } from '../json/read-json.ts'
import type { OutlineNode } from '../yaml/outline.ts'
import { columnOf } from '../yaml/scan.ts'

/** The layout of a text, which insertions must match. */
export interface Layout {
  readonly lineBreak: string
  /** Number of spaces per level. */
  readonly unit: number
  /** True if lists are indented more than their keys. */
  readonly listsIndented: boolean
  /** True for JSON, which must remain JSON. */
  readonly json: boolean
}

export function layoutOf(text: string, root: OutlineNode): Layout {
  const lineBreak = /\r\n|\n|\r/.exec(text)?.[0] ?? '\n'
  const indents: { unit?: number; list?: number } = {}
  detectIndents(text, root, indents)
  const flow = root.form === 'flow'
  const unit = flow ? (/[\r\n]([ ]+)\S/.exec(text.slice(root.start))?.[1]?.length ?? 2) : (indents.unit ?? 2)
  return { lineBreak, unit, listsIndented: indents.list !== 0, json: flow && isJson(text) }
}

function detectIndents(text: string, root: OutlineNode, indents: { unit?: number; list?: number }): void {
  const pending = [root]
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (indents.unit !== undefined && indents.list !== undefined) return
    if (node.form !== 'block' || node.children === undefined) continue
    const column = columnOf(text, node.start)
    const blocks = [...node.children.values()].filter(({ form }) => form === 'block')
    for (const child of Array.isArray(node.children) ? [] : blocks) {
      const indent = columnOf(text, child.start) - column
      if (Array.isArray(child.children)) indents.list ??= indent
      else indents.unit ??= Math.max(1, indent)
    }
    for (const child of blocks.reverse()) pending.push(child)
  }
}

export function isJson(text: string): boolean {
  return parseJson(text.replace(/^\ufeff/, '')) !== undefined
}
