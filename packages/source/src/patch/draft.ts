import type { Source, Span } from '../model/source.ts'
import type { Value } from '../model/value.ts'
import { countBelow } from '../text/lines.ts'
import type { OutlineNode } from '../yaml/outline.ts'
import type { OpenSource } from '../yaml/read-source.ts'
import { commentAt, lineStart } from '../yaml/scan.ts'
import { type Layout, layoutOf } from './layout.ts'

/** A range of text and its replacement. */
export interface TextEdit extends Span {
  readonly text: string
}

export interface ValueSite {
  readonly node: OutlineNode
  readonly kind: 'root' | 'entry' | 'item' | 'flow'
  readonly column: number
  /** The offset after the `:` or `-` of a value in a block. */
  readonly after: number
  /** An offset on the line above which comments are placed when they are displaced. */
  readonly line: number
}

export class Draft {
  readonly text: string
  readonly layout: Layout
  readonly edits: TextEdit[] = []
  /** The value of each anchor after the edits. */
  readonly anchors = new Map<string, Value>()
  readonly hasAliases: boolean
  readonly #comments: readonly number[]

  constructor(source: OpenSource) {
    this.text = source.text
    this.layout = layoutOf(source.text, source.outline())
    this.hasAliases = source.constructs().some(({ kind }) => kind === 'alias')
    this.#comments = source.comments()
  }

  put(start: number, end: number, text: string): void {
    if (this.text.slice(start, end) !== text) this.edits.push({ start, end, text })
  }

  comments(start: number, end: number): { readonly offset: number; readonly text: string }[] {
    const offsets = this.#comments.slice(countBelow(this.#comments, start), countBelow(this.#comments, end))
    return offsets.map((offset) => ({ offset, text: commentAt(this.text, offset) }))
  }

  hoist(comments: readonly { readonly text: string }[], line: number): void {
    if (comments.length === 0) return
    const start = lineStart(this.text, line)
    const margin = /^ */.exec(this.text.slice(start, line))?.[0] ?? ''
    const lines = comments.map(({ text }) => `${margin}${text}${this.layout.lineBreak}`)
    this.put(start, start, lines.join(''))
  }
}

/** Returns the sorted comments of a text. An edit may move comments, but must not lose any. */
export function commentsIn(source: Source): string[] {
  const comments = source.comments().map((offset) => commentAt(source.text, offset))
  return comments.sort()
}

/** Applies edits to a text, in any order. Edits must not overlap. */
export function editText(text: string, edits: readonly TextEdit[]): string {
  const parts: string[] = []
  let from = 0
  for (const edit of inOrder(edits)) {
    parts.push(text.slice(from, edit.start), edit.text)
    from = Math.max(from, edit.end)
  }
  return parts.join('') + text.slice(from)
}

/** Sorts edits by position. At the same position, insertions come first; otherwise the order is kept. */
export function inOrder(edits: readonly TextEdit[]): TextEdit[] {
  return edits.toSorted((a, b) => a.start - b.start || Number(a.end > a.start) - Number(b.end > b.start))
}
