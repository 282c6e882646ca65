import { beginning, formatPath, type Limits, type Path, type Span, type Value, valueToText } from '@joust/source'
import { oatfLimits } from '../model/limits.ts'
import type { Match } from '../model/verdict.ts'

/** Describes a match with its path and with the value, truncated to a window around the span. */
export function describeMatch(
  path: Path,
  value: Value,
  limits: Limits,
  spanOf: (text: string) => Span | undefined = () => undefined,
): Match {
  const text = valueToText(value, 'code-point', limits)
  if (!text.ok) return { path: formatPath(path), value: '' }
  return { path: formatPath(path), ...windowOf(text.value, spanOf(text.value)) }
}

export function evidenceOf(match: Match): string {
  return match.path === '' ? match.value : `${match.path}: ${match.value}`
}

function windowOf(text: string, span: Span | undefined): Omit<Match, 'path'> {
  if (text.length <= oatfLimits.evidence) return span === undefined ? { value: text } : { value: text, span }
  if (span === undefined) return { value: beginning(text, oatfLimits.evidence) }
  const before = Math.max(0, Math.floor((oatfLimits.evidence - (span.end - span.start)) / 2))
  const offset = Math.max(0, Math.min(span.start - before, text.length - oatfLimits.evidence))
  const value = text.slice(offset, offset + oatfLimits.evidence)
  const window = { start: span.start - offset, end: Math.min(span.end - offset, value.length) }
  return offset === 0 ? { value, span: window } : { value, span: window, offset }
}
