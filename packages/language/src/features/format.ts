/** A text laid out afresh, with its comments. */
import { formatText, lineEdits, type TextEdit } from '@joust/source'
import type { Context } from '../context.ts'

/** Edits of whole lines; none for a text that cannot be read, nor for files that are not ours. */
export function format({ file, kind }: Context): readonly TextEdit[] {
  const made = kind === 'unknown' ? undefined : formatText(file.text)
  return made?.ok ? lineEdits(file.text, made.value) : []
}
