import { parseJson } from '../json/read-json.ts'
import type { OutlineNode } from '../yaml/outline.ts'
import { columnOf } from '../yaml/scan.ts'

/** How a text is laid out, so that what is added looks like the rest. */
export interface Layout {
  readonly lineBreak: string
  /** Spaces per level. */
  readonly unit: number
  /** Whether a list is indented further than its key. */
  readonly listsIndented: boolean
  /** Whether the text is JSON, and must stay so. */
  readonly json: boolean
}

/** The layout of a text, by the first places that show it. */
export function layoutOf(text: string, root: OutlineNode): Layout {
  const lineBreak = /\r\n|\n|\r/.exec(text)?.[0] ?? '\n'
  const seen: { unit?: number; list?: number } = {}
  look(text, root, seen)
  const flow = root.form === 'flow'
  const unit = flow ? (/[\r\n]([ ]+)\S/.exec(text.slice(root.start))?.[1]?.length ?? 2) : (seen.unit ?? 2)
  return { lineBreak, unit, listsIndented: seen.list !== 0, json: flow && isJson(text) }
}

function look(text: string, root: OutlineNode, seen: { unit?: number; list?: number }): void {
  const pending = [root]
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (seen.unit !== undefined && seen.list !== undefined) return
    if (node.form !== 'block' || node.children === undefined) continue
    const column = columnOf(text, node.start)
    const blocks = [...node.children.values()].filter(({ form }) => form === 'block')
    for (const child of Array.isArray(node.children) ? [] : blocks) {
      const indent = columnOf(text, child.start) - column
      if (Array.isArray(child.children)) seen.list ??= indent
      else seen.unit ??= Math.max(1, indent)
    }
    for (const child of blocks.reverse()) pending.push(child)
  }
}

/** Whether a text is JSON. */
export function isJson(text: string): boolean {
  return parseJson(text.replace(/^\ufeff/, '')) !== undefined
}
