import { beginning, formatPath, type Limits, type Path, type Span, type Value, valueToText } from '@joust/source'
import type { Match } from '../model/verdict.ts'

/** Characters of a value that a verdict keeps. */
export const EVIDENCE_LENGTH = 500

/** What matched and where, the value cut to a window around the span. */
export function describeMatch(
  path: Path,
  value: Value,
  limits: Limits,
  spanOf: (text: string) => Span | undefined = () => undefined,
): Match {
  const text = valueToText(value, 'code-point', limits)
  if (!text.ok) return { path: formatPath(path), value: '' }
  const span = spanOf(text.value)
  const window = windowOf(text.value, span)
  return { path: formatPath(path), ...window }
}

/** The match as one line of text. */
export function evidenceOf(match: Match): string {
  return match.path === '' ? match.value : `${match.path}: ${match.value}`
}

function windowOf(text: string, span: Span | undefined): Omit<Match, 'path'> {
  if (text.length <= EVIDENCE_LENGTH) return span === undefined ? { value: text } : { value: text, span }
  if (span === undefined) return { value: beginning(text, EVIDENCE_LENGTH) }
  const before = Math.max(0, Math.floor((EVIDENCE_LENGTH - (span.end - span.start)) / 2))
  const offset = Math.max(0, Math.min(span.start - before, text.length - EVIDENCE_LENGTH))
  const value = text.slice(offset, offset + EVIDENCE_LENGTH)
  const shown = { start: span.start - offset, end: Math.min(span.end - offset, value.length) }
  return offset === 0 ? { value, span: shown } : { value, span: shown, offset }
}
