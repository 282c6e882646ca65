import { defaultLimits, type Limits } from '../limits.ts'
import { editText } from '../patch/draft.ts'
import { keepsComments } from '../patch/keeps-comments.ts'
import { isJson } from '../patch/layout.ts'
import { sameValue } from '../patch/same-value.ts'
import { type OpenSource, openSource } from '../read-source.ts'
import { ok, type Result } from '../result.ts'
import { type Source, type SourceDiagnostic, unreadable } from '../source.ts'
import { escapeUnseen } from '../unseen.ts'
import { writeJson } from '../write-json.ts'
import { escapeHidden } from './escape-hidden.ts'
import { printLaidOut } from './printer.ts'

/**
 * Lays a YAML or JSON text out: two spaces a level, one blank line at most, no spaces at the end of lines, no quotes that a
 * word does not need, LF. Comments, order and the form of scalars stay; characters that hide or reorder text are
 * written as escapes. The value is untouched: the text is read again, and refused when that says otherwise.
 */
export function formatText(text: string, limits: Limits = defaultLimits): Result<string, SourceDiagnostic[]> {
  const source = openSource(text, limits)
  if (!source.ok) return source
  const made = isJson(text) ? `${escapeUnseen(writeJson(source.value.value, 2), true)}\n` : layOut(source.value, limits)
  const again = openSource(made, limits)
  if (!again.ok && again.error.some(({ code }) => code === 'limit')) return again
  if (again.ok && saysTheSame(source.value, again.value)) return ok(made)
  return unreadable('syntax', 'the text is written in a way that cannot be laid out without changing it')
}

function layOut(source: OpenSource, limits: Limits): string {
  const edits = escapeHidden(source)
  const visible = edits.length === 0 ? ok(source) : openSource(editText(source.text, edits), limits)
  return visible.ok ? printLaidOut(visible.value) : source.text
}

function saysTheSame(before: Source, after: Source): boolean {
  return (
    sameValue(before.value, after.value) &&
    keepsComments(before, after) &&
    before.constructs().length === after.constructs().length
  )
}
