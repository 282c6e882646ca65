import { isList, isRecord, type Value } from '../model/value.ts'
import { afterIndicator, lineEnd, lineStart } from '../yaml/scan.ts'
import type { Draft, ValueSite } from './draft.ts'
import { afterDash, afterKey, blockText, flowText, jsonLines, scalarText } from './write-value.ts'

/** Replaces a value. Comments inside the value move above its line. */
export function replaceValue(draft: Draft, place: ValueSite, value: Value): void {
  const { node, kind } = place
  if (kind === 'flow' || (kind === 'root' && node.form === 'flow')) {
    replaceFlow(draft, place, value)
    return
  }
  const isScalar = !isList(value) && !isRecord(value)
  if (isScalar && INLINE.has(node.form) && kind !== 'root') {
    const text = scalarText(value, node.form, place.column + draft.layout.unit, draft.layout)
    if (![text, draft.text.slice(node.start, node.end)].some((part) => /[\r\n]/.test(part))) {
      draft.put(node.properties ?? node.start, node.end, anchored(place, text))
      return
    }
  }
  replaceLines(draft, place, value)
}

const INLINE = new Set(['plain', 'single', 'double', 'alias'])

/** Returns the anchor of a value, which is kept because aliases may need it. */
function anchorOf({ node }: ValueSite): string {
  return node.anchor === undefined || node.form === 'alias' ? '' : `&${node.anchor}`
}

function anchored(place: ValueSite, text: string): string {
  return [anchorOf(place), text].filter((part) => part !== '').join(' ')
}

function replaceFlow(draft: Draft, place: ValueSite, value: Value): void {
  const { node, line, after } = place
  const start = node.properties ?? node.start
  const { text, layout } = draft
  const own = node.start === node.end ? undefined : text.slice(node.start, node.end)
  const lines = layout.json && own !== undefined && /[\r\n]/.test(own)
  const written = lines ? jsonLines(value, marginOf(draft, node.start), layout) : flowText(value, node.form, layout)
  draft.hoist(draft.comments(start, node.end), line)
  // An empty value may lack the colon or the space after it.
  const lead = own !== undefined || place.kind === 'root' ? '' : missing(text, node.keyEnd, after)
  draft.put(start, node.end, `${lead}${anchored(place, written)}`)
}

function missing(text: string, keyEnd: number | undefined, start: number): string {
  if (keyEnd === undefined) return ''
  return afterIndicator(text, keyEnd, ':') === undefined ? ': ' : /\s/.test(text.charAt(start - 1)) ? '' : ' '
}

export function marginOf({ text }: Draft, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset), offset))?.[0] ?? ''
}

/** Replaces everything after the `:` or `-`, except a comment on that line. */
function replaceLines(draft: Draft, place: ValueSite, value: Value): void {
  const { node, kind, after, line } = place
  const { text } = draft
  const end = lineEnd(text, node.end)
  const ends = kind === 'root' ? -1 : lineEnd(text, after)
  const comments = draft.comments(after, end)
  const lead = comments.filter(({ offset }) => offset < ends)
  draft.hoist(
    comments.filter(({ offset }) => offset >= ends),
    line,
  )
  const [first = '', ...rest] = valueLines(draft, place, value)
  const head = lead.map((comment) => ` ${comment.text}`).join('')
  const anchor = anchorOf(place)
  draft.put(after, end, [`${anchor === '' ? '' : ` ${anchor}`}${first}${head}`, ...rest].join(draft.layout.lineBreak))
}

function valueLines({ text, layout }: Draft, { kind, column, after }: ValueSite, value: Value): string[] {
  if (kind === 'entry') return afterKey(value, column, layout).split(layout.lineBreak)
  if (kind === 'item') return afterDash(value, column, layout).split(layout.lineBreak)
  const lines = blockText(value, 0, layout).split(layout.lineBreak)
  // A value on the line of a document marker moves to the next line.
  return text.slice(lineStart(text, after), after).trim() === '' ? lines : ['', ...lines]
}
