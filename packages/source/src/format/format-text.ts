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
import { printFormatted } from './printer.ts'

/**
 * Formats YAML or JSON text: two spaces per level, at most one blank line, no trailing spaces, no needless quotes, LF
 * line breaks. Comments, order, a byte order mark and the style of scalars are kept; invisible and bidirectional
 * characters are escaped. The result is parsed again, and rejected if its value or comments differ.
 */
export function formatText(text: string): Result<string, SourceDiagnostic[]> {
  const result = format(text)
  if (!result.ok) return result
  const { before, formatted } = result.value
  const again = openSource(formatted)
  if (!again.ok && again.error.some(({ code }) => code === 'limit')) return again
  if (again.ok && sameValue(before, contentOf(again.value))) return ok(formatted)
  return unreadable('syntax', 'the text cannot be formatted without changing its content')
}

/** Applies the line breaks of the original to a formatted text: CRLF if the first line ends with CRLF. */
export function withLineBreaksOf(text: string, formatted: string): string {
  return BREAK.exec(text)?.[0] === '\r\n' ? formatted.replaceAll('\n', '\r\n') : formatted
}

/** Returns the content that formatting must preserve, but no parser events, because they use much memory. */
function contentOf(source: Source): Value {
  return { value: source.value, comments: commentsIn(source), constructs: source.constructs().length }
}

function format(text: string): Result<{ readonly before: Value; readonly formatted: string }, SourceDiagnostic[]> {
  const source = openSource(text)
  if (!source.ok) return source
  const body = isJson(text) ? jsonText(source.value.value) : formatYaml(source.value)
  return ok({ before: contentOf(source.value), formatted: text.startsWith('\ufeff') ? `\ufeff${body}` : body })
}

function formatYaml(source: OpenSource): string {
  const edits = escapeHidden(source)
  const visible = edits.length === 0 ? ok(source) : openSource(editText(source.text, edits))
  return visible.ok ? printFormatted(visible.value) : source.text
}

/** Creates edits that double-quote all scalars with invisible or bidirectional characters and escape these. */
function escapeHidden(source: OpenSource): TextEdit[] {
  const { text, value } = source
  if (!hidesText(text)) return []
  const edits: TextEdit[] = []
  const hides = (start: number, end: number): boolean => hidesText(text.slice(start, end))
  const pending: { readonly node: OutlineNode; readonly value: Value }[] = [{ node: source.outline(), value }]
  for (let job = pending.pop(); job !== undefined; job = pending.pop()) {
    const { node, value: current } = job
    for (const [key, child] of node.children?.entries() ?? []) {
      const { keyStart = 0, keyEnd = 0 } = child
      if (hides(keyStart, keyEnd)) edits.push({ start: keyStart, end: keyEnd, text: doubleQuoted(String(key)) })
      pending.push({ node: child, value: valueAt(current, [key]) ?? null })
    }
    if (typeof current !== 'string' || node.form === 'alias' || !hides(node.start, node.end)) continue
    edits.push({ start: node.start, end: node.end, text: `${doubleQuoted(current)}${headerComment(node, text)}` })
  }
  return edits
}

function headerComment({ indent, start }: OutlineNode, text: string): string {
  const header = indent === undefined ? '' : text.slice(start, lineEnd(text, start))
  return /\s#.*$/.exec(header)?.[0] ?? ''
}
