/** The panel with the open message: its content, with the evidence highlighted. */
import type { Flow, ResultIndicatorVerdict } from '@joust/results'
import { useSignal } from '@preact/signals'
import type { JSX, RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { ScrollBox, ScrolledText } from './boxes.tsx'
import { EvidenceText } from './evidence.tsx'
import { FlowsOfMessage } from './flows.tsx'
import { Facts } from './headline.tsx'
import { Icon, Note, ResultBadge } from './icons.tsx'
import { type Bounds, jsonLines, type Mark } from './json-lines.ts'
import { plainText, shown } from './text.tsx'
import { contentOf, type Trace, wholeText } from './trace.ts'
import { countText, durationText, numberText } from './words.ts'

const FIRST_BOUNDS = { lines: 1500, characters: 6000 }
const LAST_BOUNDS = { lines: 30_000, characters: 400_000 }

export function MessagePanel(props: {
  readonly trace: Trace
  readonly seq: number
  readonly agent: string
  /** Verdicts on the attack. The panel shows only the verdicts that this message decided. */
  readonly verdicts: readonly ResultIndicatorVerdict[]
  readonly task?: readonly ResultIndicatorVerdict[] | undefined
  readonly flows?: readonly Flow[] | undefined
  readonly onOpen: (seq: number) => void
  readonly onClose: () => void
  readonly element: RefObject<HTMLElement | null>
}): JSX.Element | null {
  const { trace, seq, agent, flows = [], onOpen, onClose } = props
  const place = trace.messages.findIndex((message) => message.seq === seq && message.broken !== true)
  const message = trace.messages[place]
  if (message === undefined) return null
  const { value, cut } = contentOf(trace, place)
  const proofs = [
    ...props.verdicts.map((verdict) => ({ verdict, of: 'attack' as const })),
    ...(props.task ?? []).map((verdict) => ({ verdict, of: 'task' as const })),
  ].filter(({ verdict }) => verdict.entry?.seq === seq)
  const [from, to] = message.out === true ? [message.actor, agent] : [agent, message.actor]
  const whole = message.part === undefined ? undefined : wholeText(trace, partPlaces(trace, place))
  return (
    <aside class="message" aria-labelledby="message-title" ref={props.element}>
      <header>
        <h2 id="message-title">
          <span class="number">#{seq}</span>
          {shown(message.surface || 'unreadable')}{' '}
          <span class="muted">{message.response === true ? 'response' : 'request'}</span>
        </h2>
        <button type="button" class="plain" aria-label="Close the message" onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      <Facts
        pairs={[
          ['direction', `${from} → ${to}`],
          ['phase', message.phase],
          ['time', `${durationText(message.elapsed)} after the start`],
          ['session', message.session],
        ]}
      />
      {message.malformed !== undefined && (
        <Note>{`Malformed message: ${plainText(message.malformed)}. Its raw text follows.`}</Note>
      )}
      {proofs.map(({ verdict, of }) => (
        <div class="proof" key={`${of} ${verdict.indicator_id}`}>
          <ResultBadge result={verdict.result} word={verdict.indicator_id} of={of} />
          <EvidenceText verdict={verdict} />
        </div>
      ))}
      <FlowsOfMessage {...{ flows, seq, onOpen }} />
      {whole !== undefined && whole !== '' && (
        <section class="whole-text">
          <h3>Joined text</h3>
          <p class="quote">{shown(whole)}</p>
        </section>
      )}
      {cut ? (
        <>
          <Note>
            {`Truncated: the report contains the first ${numberText(String(value).length)} of ${countText(message.characters ?? 0, 'character')}.`}
          </Note>
          <ScrolledText class="json" text={String(value).slice(0, LAST_BOUNDS.characters)} />
        </>
      ) : (
        <Content key={seq} value={value} marks={marksOf(proofs.map(({ verdict }) => verdict))} />
      )}
    </aside>
  )
}

function partPlaces({ messages }: Trace, place: number): number[] {
  const own = messages[place]
  const isSame = (at: number) => messages[at]?.part === own?.part && messages[at]?.actor === own?.actor
  return messages.flatMap((_, at) => (isSame(at) ? [at] : []))
}

function marksOf(verdicts: readonly ResultIndicatorVerdict[]): Mark[] {
  return verdicts.flatMap(({ result, match }) => {
    if (result !== 'matched' || match === undefined) return []
    const { path, span, offset = 0 } = match
    return span === undefined ? [{ path }] : [{ path, from: offset + span.start, to: offset + span.end }]
  })
}

function Content({ value, marks }: { readonly value: unknown; readonly marks: readonly Mark[] }): JSX.Element {
  const bounds = useSignal<Bounds>(FIRST_BOUNDS)
  const body = useRef<HTMLElement>(null)
  useLayoutEffect(() => body.current?.querySelector('mark')?.scrollIntoView({ block: 'nearest' }), [])
  const { lines, cut, marked } = jsonLines(value, marks, bounds.value)
  return (
    <>
      {cut && marked < marks.length && <Note>The match is below the visible part.</Note>}
      <ScrollBox class="json" aria-label="Content as JSON" element={body}>
        {lines.map(({ indent, pieces }, number) => (
          <div class="json-line" key={number} style={{ paddingLeft: `${Math.min(indent, 24) * 2 + 2}ch` }}>
            {pieces.map(({ text, kind, mark }, place) => {
              const Tag = mark === true ? 'mark' : 'span'
              return (
                <Tag key={place} class={`json-${kind}`}>
                  {shown(text)}
                </Tag>
              )
            })}
          </div>
        ))}
      </ScrollBox>
      {cut && bounds.value !== LAST_BOUNDS && (
        <button type="button" class="more" onClick={() => (bounds.value = LAST_BOUNDS)}>
          Show more
        </button>
      )}
      {cut && bounds.value === LAST_BOUNDS && <Note>The rest is too long to show. See the trace.</Note>}
    </>
  )
}
