/** A text laid out afresh, with its comments. */
import { formatText, type TextEdit } from '@joust/source'
import type { Context } from '../context.ts'

/** One edit around everything that changes; none for a text that cannot be read, nor for files that are not ours. */
export function format({ file, kind }: Context): readonly TextEdit[] {
  const made = kind === 'unknown' ? undefined : formatText(file.text)
  return made?.ok ? difference(file.text, made.value) : []
}

/** The smallest single edit of whole lines that turns one text into another. */
function difference(before: string, after: string): readonly TextEdit[] {
  if (before === after) return []
  let start = 0
  while (start < before.length && before[start] === after[start]) start++
  let end = before.length
  let stop = after.length
  while (end > start && stop > start && before[end - 1] === after[stop - 1]) {
    end--
    stop--
  }
  while (start > 0 && before[start - 1] !== '\n') start--
  while (end < before.length && before[end - 1] !== '\n') {
    end++
    stop++
  }
  return [{ start, end, text: after.slice(start, stop) }]
}
