import { jsonText } from '../json/write-json.ts'
import { valueAt } from '../model/path.ts'
import { ok, type Result } from '../model/result.ts'
import { type Source, type SourceDiagnostic, unreadable } from '../model/source.ts'
import type { Value } from '../model/value.ts'
import { commentsIn, editText, type TextEdit } from '../patch/draft.ts'
import { isJson } from '../patch/layout.ts'
import { doubleQuoted, hidesText } from '../text/printable.ts'
import { sameValue } from '../values/deep-equal.ts'
import type { OutlineNode } from '../yaml/outline.ts'
import { type OpenSource, openSource } from '../yaml/read-source.ts'
import { lineEnd } from '../yaml/scan.ts'
import { BREAK } from './page.ts'
import { printLaidOut } from './printer.ts'

/**
 * Lays a YAML or JSON text out: two spaces a level, at most one blank line, no trailing spaces, no quotes that a word
 * does not need, LF. Comments, order, a byte order mark and the form of scalars stay; characters that hide or reorder
 * text are written as escapes. The value is untouched: the text is read again, and refused when that says otherwise.
 */
export function formatText(text: string): Result<string, SourceDiagnostic[]> {
  const laid = laidOut(text)
  if (!laid.ok) return laid
  const { before, made } = laid.value
  const again = openSource(made)
  if (!again.ok && again.error.some(({ code }) => code === 'limit')) return again
  if (again.ok && sameValue(before, said(again.value))) return ok(made)
  return unreadable('syntax', 'the text is written in a way that cannot be laid out without changing it')
}

/** A laid out text with the line breaks of the text that it was made from: CRLF, where that begins with it. */
export function withLineBreaksOf(text: string, laidOut: string): string {
  return BREAK.exec(text)?.[0] === '\r\n' ? laidOut.replaceAll('\n', '\r\n') : laidOut
}

/** What a text says, without the events it was read from, so that two large texts are never held at once. */
function said(source: Source): Value {
  return { value: source.value, comments: commentsIn(source), constructs: source.constructs().length }
}

function laidOut(text: string): Result<{ readonly before: Value; readonly made: string }, SourceDiagnostic[]> {
  const source = openSource(text)
  if (!source.ok) return source
  const made = isJson(text) ? jsonText(source.value.value) : layOut(source.value)
  return ok({ before: said(source.value), made: text.startsWith('\ufeff') ? `\ufeff${made}` : made })
}

function layOut(source: OpenSource): string {
  const edits = escapeHidden(source)
  const visible = edits.length === 0 ? ok(source) : openSource(editText(source.text, edits))
  return visible.ok ? printLaidOut(visible.value) : source.text
}

/** Edits that write every scalar with characters that hide or reorder text in double quotes, with escapes for those. */
function escapeHidden(source: OpenSource): TextEdit[] {
  const { text, value } = source
  if (!hidesText(text)) return []
  const edits: TextEdit[] = []
  const hides = (start: number, end: number): boolean => hidesText(text.slice(start, end))
  const pending: { readonly node: OutlineNode; readonly value: Value }[] = [{ node: source.outline(), value }]
  for (let job = pending.pop(); job !== undefined; job = pending.pop()) {
    const { node, value: held } = job
    for (const [key, child] of node.children?.entries() ?? []) {
      const { keyStart = 0, keyEnd = 0 } = child
      if (hides(keyStart, keyEnd)) edits.push({ start: keyStart, end: keyEnd, text: doubleQuoted(String(key)) })
      pending.push({ node: child, value: valueAt(held, [key]) ?? null })
    }
    if (typeof held !== 'string' || node.form === 'alias' || !hides(node.start, node.end)) continue
    edits.push({ start: node.start, end: node.end, text: `${doubleQuoted(held)}${headerComment(node, text)}` })
  }
  return edits
}

/** A block scalar may have a comment beside its header. */
function headerComment({ indent, start }: OutlineNode, text: string): string {
  const header = indent === undefined ? '' : text.slice(start, lineEnd(text, start))
  return /\s#.*$/.exec(header)?.[0] ?? ''
}
