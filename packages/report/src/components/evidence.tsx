/** The evidence of a verdict: the examined text, with the match highlighted. */

import type { ResultIndicatorVerdict } from '@joust/results'
import { cut } from '@joust/source'
import type { JSX } from 'preact'
import { shown } from './text.tsx'

/** Maximum number of characters of evidence shown with an indicator. */
const LONGEST = 600

export function EvidenceText({ verdict }: { readonly verdict: ResultIndicatorVerdict }): JSX.Element | null {
  const { match, evidence, result } = verdict
  if (match === undefined) {
    if (evidence === undefined || evidence === '') return null
    return <p class={result === 'matched' ? 'evidence evidence-code' : 'reason'}>{shown(cut(evidence, LONGEST))}</p>
  }
  const { path, value, span, offset = 0 } = match
  const { start, end } = span ?? { start: 0, end: value.length }
  return (
    <p class="evidence">
      <code class="path">{path === '' ? 'whole message' : shown(path)}</code>{' '}
      {value === '' ? (
        <span class="muted">is absent or empty</span>
      ) : (
        <bdi class="quote">
          {offset > 0 && '…'}
          {shown(value.slice(0, start))}
          <mark>{shown(cut(value.slice(start, end), LONGEST))}</mark>
          {shown(cut(value.slice(end), LONGEST))}
        </bdi>
      )}
    </p>
  )
}
