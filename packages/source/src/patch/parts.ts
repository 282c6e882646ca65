import type { OutlineNode } from '../yaml/outline.ts'
import { afterIndicator, columnOf, lineEnd, lineStart, nextLine } from '../yaml/scan.ts'
import type { Draft } from './draft.ts'
import { marginOf } from './replace.ts'

/** A mapping entry or list item. */
export interface Part {
  readonly node: OutlineNode
  /** The offset of the key, of the `-` or, in a flow collection, of the item itself. */
  readonly start: number
  /** The offset after the `:` or `-`, or after the value if there is neither. */
  readonly after: number
}

export function partsOf(text: string, { start, form, children = [] }: OutlineNode): Part[] {
  const parts: Part[] = []
  let last = start
  for (const node of children.values()) {
    const own = node.properties ?? node.start
    if (!Array.isArray(children)) {
      const after = afterIndicator(text, node.keyEnd ?? own, ':') ?? own
      parts.push({ node, start: keyStart(text, node.keyStart ?? own), after: Math.min(after, own) })
    } else if (form === 'flow') parts.push({ node, start: own, after: own })
    else {
      const after = afterIndicator(text, last, '-') ?? own
      parts.push({ node, start: after - 1, after })
    }
    last = node.end
  }
  return parts
}

/** Returns the start of a key, including the `?` of an explicit key. */
function keyStart(text: string, start: number): number {
  const mark = skipSpacesBack(text, start) - 1
  return mark < start - 1 && text.charAt(mark) === '?' && /^[\s,{[]?$/.test(text.charAt(mark - 1)) ? mark : start
}

function opensLine(text: string, { start }: Part): boolean {
  return /^[\r\n\ufeff]?$/.test(text.charAt(skipSpacesBack(text, start) - 1))
}

/** Scans backwards from an offset, because slicing the line could copy the whole text. */
function skipSpacesBack(text: string, from: number): number {
  let offset = from
  while (text.charAt(offset - 1) === ' ' || text.charAt(offset - 1) === '\t') offset--
  return offset
}

/** Removes elements from a block. Their comments remain on separate lines. At least one element must remain. */
export function removeFromBlock(draft: Draft, parts: readonly Part[], removed: ReadonlySet<number>): void {
  const { text, layout } = draft
  const remaining = parts.findIndex((_, index) => !removed.has(index))
  const [first, last, next] = [parts[0], parts[remaining - 1], parts[remaining]]
  const isBeside = first !== undefined && !opensLine(text, first)
  if (isBeside && last !== undefined && next !== undefined) removeBesideIndicator(draft, first, last, next)
  for (const [index, part] of parts.entries()) {
    if (!removed.has(index) || !opensLine(text, part) || (isBeside && index < remaining)) continue
    const end = lineEnd(text, part.node.end)
    const start = lineStart(text, part.start)
    const margin = text.slice(start, part.start)
    const lines = draft.comments(part.start, end).map((comment) => `${margin}${comment.text}${layout.lineBreak}`)
    draft.put(start, nextLine(text, end), lines.join(''))
  }
}

/** Removes leading elements after the `-` or `?` of their parent. The next element takes their place. */
function removeBesideIndicator(draft: Draft, first: Part, last: Part, next: Part): void {
  const { text, layout } = draft
  const comments = draft.comments(first.start, next.start)
  if (comments.length === 0) {
    draft.put(first.start, next.start, '')
    return
  }
  const end = lineEnd(text, last.node.end)
  const margin = `${layout.lineBreak}${' '.repeat(columnOf(text, first.start))}`
  const inside = comments.filter(({ offset }) => offset < end)
  draft.put(first.start, end, inside.map((comment) => comment.text).join(margin))
}

/**
 * Inserts lines into a block, after an element or before the first. `added` has no indentation and no final line break.
 */
export function insertIntoBlock(draft: Draft, parts: readonly Part[], previous: Part | undefined, added: string): void {
  const { text, layout } = draft
  const first = parts[0]
  if (first === undefined) return
  const margin = ' '.repeat(columnOf(text, first.start))
  if (previous !== undefined) {
    const at = endOfPart(text, previous, margin.length)
    const open = at > lineStart(text, at)
    const line = open ? `${layout.lineBreak}${margin}${added}` : `${margin}${added}${layout.lineBreak}`
    draft.put(at, at, line)
  } else if (opensLine(text, first)) {
    // Comments at the left margin above the first element describe the file.
    const at = margin === '' ? lineStart(text, first.start) : aboveComments(text, first, 0)
    draft.put(at, at, `${margin}${added}${layout.lineBreak}`)
  } else draft.put(first.start, first.start, `${added}${layout.lineBreak}${margin}`)
}

/** Returns the start of the line after an element and the more deeply indented comments below it. */
function endOfPart(text: string, { node }: Part, column: number): number {
  let at = nextLine(text, node.end)
  for (let next = at; next < text.length; next = nextLine(text, next)) {
    const line = text.slice(next, lineEnd(text, next))
    if (line.trim() === '') continue
    if (!line.trimStart().startsWith('#') || line.search(/\S/) <= column) break
    at = nextLine(text, next)
  }
  return at
}

/** Returns the start of the comments directly above an element. Editor directives belong to the file instead. */
function aboveComments(text: string, { start }: Part, floor: number): number {
  const margin = ' '.repeat(columnOf(text, start))
  let at = lineStart(text, start)
  while (at > floor) {
    const line = lineStart(text, at - (text.startsWith('\r\n', at - 2) ? 2 : 1))
    if (line >= at || !text.startsWith(`${margin}#`, line) || text.startsWith('# yaml-language-server:', line)) break
    at = line
  }
  return at
}

/** Moves an entry before the others, with its comments and the blank lines above it. */
export function moveToFront(draft: Draft, node: OutlineNode, key: string): void {
  const { text, layout } = draft
  const parts = partsOf(text, node)
  const at = [...(node.children?.keys() ?? [])].indexOf(key)
  const [first, last, own] = [parts[0], parts[at - 1], parts[at]]
  if (first === undefined || last === undefined || own === undefined) return
  const [lastEnd, ownEnd] = [last.node.end, own.node.end]
  if (node.form === 'flow' && !hasOwnLines(draft, first, own)) {
    draft.put(first.start, first.start, `${text.slice(own.start, ownEnd)}${text.slice(lastEnd, own.start)}`)
    draft.put(lastEnd, ownEnd, '')
    return
  }
  const start = aboveComments(text, own, nextLine(text, lastEnd))
  const end = endOfPart(text, own, columnOf(text, own.start))
  const gap = nextLine(text, lastEnd + text.slice(lastEnd, start).trimEnd().length)
  const comma = node.form === 'flow' && afterIndicator(text, ownEnd, ',') === undefined ? ',' : ''
  // The last line of a text may lack a line break.
  const lineBreak = end > lineStart(text, end) ? layout.lineBreak : ''
  const lines = `${text.slice(start, ownEnd)}${comma}${text.slice(ownEnd, end)}${lineBreak}`
  const front = aboveComments(text, first, 0)
  draft.put(front, front, `${lines}${text.slice(gap, start)}`)
  draft.put(gap, end, '')
}

/** True if two elements of a flow collection are on separate lines, so that their comments must move with them. */
function hasOwnLines(draft: Draft, first: Part, own: Part): boolean {
  const { text } = draft
  const end = lineEnd(text, own.node.end)
  if (!opensLine(text, first) || !opensLine(text, own) || draft.comments(first.start, end).length === 0) return false
  return /^[ \t]*,?[ \t]*(?:#|$)/.test(text.slice(own.node.end, end))
}

/** Removes elements and their commas from a flow collection. Moves comments above the line. One element must remain. */
export function removeFromFlow(draft: Draft, parts: readonly Part[], removed: ReadonlySet<number>, line: number): void {
  for (let index = 0; index < parts.length; index++) {
    if (!removed.has(index)) continue
    let last = index
    while (removed.has(last + 1)) last++
    const next = parts[last + 1]
    const start = next === undefined ? (parts[index - 1]?.node.end ?? 0) : (parts[index]?.start ?? 0)
    const end = next === undefined ? (parts[last]?.node.end ?? 0) : next.start
    draft.hoist(draft.comments(start, end), line)
    draft.put(start, end, '')
    index = last
  }
}

/** Inserts an element into a flow collection, after `previous` or at the start, on a new line if the others are. */
export function insertIntoFlow(draft: Draft, parts: readonly Part[], previous: Part | undefined, added: string): void {
  const first = parts[0]
  if (first === undefined) return
  const beside = previous ?? first
  const separator = opensLine(draft.text, beside) ? `,${draft.layout.lineBreak}${marginOf(draft, beside.start)}` : ', '
  if (previous === undefined) draft.put(first.start, first.start, `${added}${separator}`)
  else draft.put(previous.node.end, previous.node.end, `${separator}${added}`)
}
