/** The model call that contains the bait: the request, in which the bait is marked, and the response. */
import type { BaitCall, CallPart } from '@joust/results'
import type { JSX } from 'preact'
import { ScrollBox } from './boxes.tsx'
import { Block } from './run-facts.tsx'
import { plainText, shown } from './text.tsx'
import { countText, numberText } from './words.ts'

export function ModelCall({ call }: { readonly call: BaitCall | undefined }): JSX.Element | null {
  if (call === undefined) return null
  const { number, calls, model, how, request, answer, leftOut, tools, finish } = call
  const name = model === undefined ? 'the model' : plainText(model)
  return (
    <Block title="What the model read">
      <p>
        Call {number} of {calls} to {name} contains {HOW[how]}.
      </p>
      <details open>
        <summary>
          Request: {countText(request.length + leftOut, 'text')}, {countText(tools, 'tool')} offered
        </summary>
        <Parts parts={request} label="Request to the model" />
        {leftOut > 0 && <p class="muted">{countText(leftOut, 'more message')} in the trace.</p>}
      </details>
      <details open>
        <summary>Answer, ended with {shown(finish)}</summary>
        {answer.length === 0 ? (
          <p class="muted">The model returned no text and no tool call.</p>
        ) : (
          <Parts parts={answer} label="Answer from the model" />
        )}
      </details>
    </Block>
  )
}

const HOW: Readonly<Record<BaitCall['how'], string>> = {
  exact: 'the bait, word for word',
  plain: 'the bait, except for spacing and escapes',
  part: 'only part of the bait',
}

function Parts({ parts, label }: { readonly parts: readonly CallPart[]; readonly label: string }): JSX.Element {
  return (
    <ScrollBox class="call-parts" aria-label={label}>
      {parts.map(({ role, text, marks, characters }, place) => (
        <div class={marks.length > 0 ? 'call-part with-bait' : 'call-part'} key={place}>
          <span class="call-role">{shown(role)}</span>
          <p class="quote">{withMarks(text, marks)}</p>
          {characters !== undefined && (
            <span class="muted">{`${numberText(text.length)} of ${countText(characters, 'character')}`}</span>
          )}
        </div>
      ))}
    </ScrollBox>
  )
}

function withMarks(text: string, marks: CallPart['marks']): (JSX.Element | ReturnType<typeof shown>)[] {
  const pieces: (JSX.Element | ReturnType<typeof shown>)[] = []
  let at = 0
  for (const [from, to] of marks) {
    if (from < at) continue
    pieces.push(shown(text.slice(at, from)), <mark key={from}>{shown(text.slice(from, to))}</mark>)
    at = to
  }
  return [...pieces, shown(text.slice(at))]
}
