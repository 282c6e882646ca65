/** Taking parts out of a collection and putting parts into it. */
import type { OutlineNode } from '../yaml/outline.ts'
import { afterIndicator, columnOf, lineEnd, lineStart, nextLine } from '../yaml/scan.ts'
import type { Draft } from './draft.ts'
import { marginOf } from './replace.ts'

/** An entry of a mapping or an item of a list. */
export interface Part {
  readonly node: OutlineNode
  /** Where its key, its `-` or, in a flow collection, the part itself starts. */
  readonly start: number
  /** The offset after its `:` or `-`; where its value starts when it has none. */
  readonly after: number
}

/** The parts of a collection in the order of the text. */
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

/** The `?` of an explicit key belongs to it. */
function keyStart(text: string, start: number): number {
  const mark = skipSpacesBack(text, start) - 1
  return mark < start - 1 && text.charAt(mark) === '?' && /^[\s,{[]?$/.test(text.charAt(mark - 1)) ? mark : start
}

/** Whether only spaces come before a part on its line. */
function opensLine(text: string, { start }: Part): boolean {
  return /^[\r\n\ufeff]?$/.test(text.charAt(skipSpacesBack(text, start) - 1))
}

/** Looks no further than it has to: a line may be as long as the text. */
function skipSpacesBack(text: string, from: number): number {
  let offset = from
  while (text.charAt(offset - 1) === ' ' || text.charAt(offset - 1) === '\t') offset--
  return offset
}

/** Takes parts out of a block; their comments stay, on lines of their own. Some other part must stay. */
export function removeFromBlock(draft: Draft, parts: readonly Part[], removed: ReadonlySet<number>): void {
  const { text, layout } = draft
  const kept = parts.findIndex((_, index) => !removed.has(index))
  const [first, last, next] = [parts[0], parts[kept - 1], parts[kept]]
  const isBeside = first !== undefined && !opensLine(text, first)
  if (isBeside && last !== undefined && next !== undefined) removeBesideIndicator(draft, first, last, next)
  for (const [index, part] of parts.entries()) {
    if (!removed.has(index) || !opensLine(text, part) || (isBeside && index < kept)) continue
    const end = lineEnd(text, part.node.end)
    const start = lineStart(text, part.start)
    const margin = text.slice(start, part.start)
    const lines = draft.comments(part.start, end).map((comment) => `${margin}${comment.text}${layout.lineBreak}`)
    draft.put(start, nextLine(text, end), lines.join(''))
  }
}

/** The first part may stand beside the `-` or `?` of what it is a part of: the next that stays takes its place. */
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

/** Puts lines into a block after a part, or before the first one. The text comes without indentation and line break. */
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
    // At the margin, what is above the first part is about the file.
    const at = margin === '' ? lineStart(text, first.start) : aboveComments(text, first, 0)
    draft.put(at, at, `${margin}${added}${layout.lineBreak}`)
  } else draft.put(first.start, first.start, `${added}${layout.lineBreak}${margin}`)
}

/** The start of the line after a part and its comments, which are further to the right than it. */
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

/** Where the comments right above a part start, which belong to it; what they say to an editor is about the file. */
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

/** Puts an entry before the others, with its comments. Blank lines between it and the one above stay between them. */
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
  // The last line of a text may lack its break.
  const lineBreak = end > lineStart(text, end) ? layout.lineBreak : ''
  const lines = `${text.slice(start, ownEnd)}${comma}${text.slice(ownEnd, end)}${lineBreak}`
  const front = aboveComments(text, first, 0)
  draft.put(front, front, `${lines}${text.slice(gap, start)}`)
  draft.put(gap, end, '')
}

/** Whether the lines of two parts of a flow collection hold nothing else, and there are comments to go with them. */
function hasOwnLines(draft: Draft, first: Part, own: Part): boolean {
  const { text } = draft
  const end = lineEnd(text, own.node.end)
  if (!opensLine(text, first) || !opensLine(text, own) || draft.comments(first.start, end).length === 0) return false
  return /^[ \t]*,?[ \t]*(?:#|$)/.test(text.slice(own.node.end, end))
}

/** Takes parts out of a flow collection with their commas; comments go above its line. Some other part must stay. */
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

/** Puts a part into a flow collection after another one, or before the first; on a line of its own where others are. */
export function insertIntoFlow(draft: Draft, parts: readonly Part[], previous: Part | undefined, added: string): void {
  const first = parts[0]
  if (first === undefined) return
  const beside = previous ?? first
  const separator = opensLine(draft.text, beside) ? `,${draft.layout.lineBreak}${marginOf(draft, beside.start)}` : ', '
  if (previous === undefined) draft.put(first.start, first.start, `${added}${separator}`)
  else draft.put(previous.node.end, previous.node.end, `${separator}${added}`)
}
