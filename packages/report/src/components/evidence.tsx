/** The proof behind a verdict: the text that was examined, with the match in it marked. */

import type { ResultIndicatorVerdict } from '@joust/arena'
import { cut } from '@joust/source'
import type { JSX } from 'preact'
import { shown } from './text.tsx'

/** The longest evidence that is shown beside an indicator. */
const LONGEST = 600

/** The evidence of a verdict, if it has any. */
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
