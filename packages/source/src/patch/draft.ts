/** A text with the edits that are planned for it. */

import type { Source, Span } from '../model/source.ts'
import type { Value } from '../model/value.ts'
import { countBelow } from '../text/lines.ts'
import type { OutlineNode } from '../yaml/outline.ts'
import type { OpenSource } from '../yaml/read-source.ts'
import { commentAt, lineStart } from '../yaml/scan.ts'
import { type Layout, layoutOf } from './layout.ts'

/** A stretch of text and what replaces it. */
export interface TextEdit extends Span {
  readonly text: string
}

/** Where a value is, and what it is in. */
export interface ValueSite {
  readonly node: OutlineNode
  readonly kind: 'root' | 'entry' | 'item' | 'flow'
  /** The column of the collection that it is a part of. */
  readonly column: number
  /** In a block: the offset after the `:` or `-` that the value follows. */
  readonly after: number
  /** A place on the line that comments go above when theirs is lost. */
  readonly line: number
}

export class Draft {
  readonly text: string
  readonly layout: Layout
  readonly edits: TextEdit[] = []
  /** What each anchor stands for after the edits. */
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
    const found = this.#comments.slice(countBelow(this.#comments, start), countBelow(this.#comments, end))
    return found.map((offset) => ({ offset, text: commentAt(this.text, offset) }))
  }

  /** Puts comments on lines of their own above a line. */
  hoist(comments: readonly { readonly text: string }[], line: number): void {
    if (comments.length === 0) return
    const start = lineStart(this.text, line)
    const margin = /^ */.exec(this.text.slice(start, line))?.[0] ?? ''
    const lines = comments.map(({ text }) => `${margin}${text}${this.layout.lineBreak}`)
    this.put(start, start, lines.join(''))
  }
}

/** What the comments of a text say, sorted: a change may move them, but must not lose one. */
export function commentsIn(source: Source): string[] {
  const comments = source.comments().map((offset) => commentAt(source.text, offset))
  return comments.sort()
}

/** A text with its edits made; they may come in any order and must not overlap. */
export function editText(text: string, edits: readonly TextEdit[]): string {
  const parts: string[] = []
  let from = 0
  for (const edit of inOrder(edits)) {
    parts.push(text.slice(from, edit.start), edit.text)
    from = Math.max(from, edit.end)
  }
  return parts.join('') + text.slice(from)
}

/** By position; those at one place in the order they were made, insertions first. */
export function inOrder(edits: readonly TextEdit[]): TextEdit[] {
  return edits.toSorted((a, b) => a.start - b.start || Number(a.end > a.start) - Number(b.end > b.start))
}
