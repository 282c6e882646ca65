/** What an attack finds in a trace: the outcome, each indicator with the steps of the filter, and the messages. */
import { MessagePanel, ResultBadge, Sequence, shown, traceOf } from '@joust/report/components'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { FilterStep, TraceJudgement } from '../model/api.ts'
import { wholeNumber } from './numbers.ts'

const steps: Readonly<Record<FilterStep, string>> = {
  protocol: 'another protocol',
  surface: 'another surface',
  actor: 'another actor',
  direction: 'the other direction',
  unreadable: 'could not be read',
  evaluated: 'looked at, no match',
  matched: 'matched',
  error: 'could not be evaluated',
}

export function Judged(props: {
  readonly judged: TraceJudgement
  /** An indicator was chosen. */
  readonly onChoose: (id: string) => void
}): JSX.Element {
  const { judged, onChoose } = props
  const chosen = useSignal(0)
  const selected = useSignal<number | undefined>(undefined)
  const panel = useRef<HTMLElement>(null)
  const trace = useMemo(() => traceOf(judged.entries), [judged])
  useEffect(() => panel.current?.scrollIntoView({ block: 'nearest' }), [selected.value])
  const indicator = judged.indicators[chosen.value] ?? judged.indicators[0]
  const matched = useMemo(() => matchedBy(judged, indicator), [judged, indicator])
  const step = indicator === undefined ? undefined : stepOf(judged, indicator, selected.value)
  return (
    <>
      <p role="status">
        <ResultBadge result={judged.outcome} />
      </p>
      {judged.reasons.length > 0 && <Reasons reasons={judged.reasons} />}
      {judged.entries.length === 0 && <p class="muted">The trace has no message that could be read.</p>}
      <Indicators
        all={judged.indicators}
        chosen={indicator?.id}
        onChoose={(id, index) => {
          chosen.value = index
          onChoose(id)
        }}
      />
      {indicator !== undefined && judged.entries.length > 0 && (
        <Funnel
          indicator={indicator}
          entries={judged.entries}
          selected={selected.value}
          onOpen={(seq) => (selected.value = seq)}
        />
      )}
      {step !== undefined && (
        <p role="status">
          Message {selected.value}: <b>{steps[step]}</b>
        </p>
      )}
      <div class={selected.value === undefined ? 'judge-sequence' : 'judge-sequence with-message'}>
        <Sequence
          trace={trace}
          actors={[]}
          agent="agent"
          evidence={matched}
          selected={selected.value}
          onOpen={(seq) => (selected.value = seq)}
          foot={panel}
        />
        {selected.value !== undefined && (
          <MessagePanel
            trace={trace}
            seq={selected.value}
            agent="agent"
            verdicts={(indicator?.verdicts ?? []).filter(({ entry }) => entry?.seq === selected.value)}
            task={[]}
            onClose={() => (selected.value = undefined)}
            element={panel}
          />
        )}
      </div>
    </>
  )
}

/** The messages that an indicator matches, by their `seq`. */
function matchedBy({ entries }: TraceJudgement, indicator: TraceJudgement['indicators'][number] | undefined) {
  const found = entries.filter((_, place) => indicator?.steps[place] === 'matched')
  return new Map(found.map(({ seq }) => [seq, [indicator?.id ?? '']] as const))
}

function Indicators(props: {
  readonly all: TraceJudgement['indicators']
  readonly chosen: string | undefined
  readonly onChoose: (id: string, index: number) => void
}): JSX.Element {
  return (
    <ul class="judge-indicators">
      {props.all.map(({ id, result, steps: dropped }, index) => (
        <li key={id}>
          <button type="button" aria-pressed={props.chosen === id} onClick={() => props.onChoose(id, index)}>
            <ResultBadge result={result} /> <b>{shown(id)}</b>
            <span class="muted">{funnelText(dropped)}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}

/** How many reasons are shown unfolded. */
const FIRST = 3

function Reasons({ reasons }: { readonly reasons: readonly string[] }): JSX.Element {
  const list = (some: readonly string[]) => (
    <ul class="judge-reasons">
      {some.map((reason) => (
        <li key={reason}>{shown(reason)}</li>
      ))}
    </ul>
  )
  return (
    <>
      {list(reasons.slice(0, FIRST))}
      {reasons.length > FIRST && (
        <details>
          <summary>{reasons.length - FIRST} more</summary>
          {list(reasons.slice(FIRST))}
        </details>
      )}
    </>
  )
}

/** What happened to a message; where several share a number, a match counts. */
function stepOf(
  { entries }: TraceJudgement,
  indicator: TraceJudgement['indicators'][number],
  seq: number | undefined,
): FilterStep | undefined {
  const found = entries.flatMap((entry, place) => (entry.seq === seq ? (indicator.steps[place] ?? []) : []))
  return found.includes('matched') ? 'matched' : found[0]
}

/** How many messages of a step are listed. */
const LISTED = 200

/** The steps of the filter; pressing one lists the messages that it dropped. */
function Funnel(props: {
  readonly indicator: TraceJudgement['indicators'][number]
  readonly entries: TraceJudgement['entries']
  readonly selected: number | undefined
  readonly onOpen: (seq: number) => void
}): JSX.Element {
  const { indicator, entries, selected, onOpen } = props
  const open = useSignal<FilterStep | undefined>(undefined)
  const counts = Object.entries(steps).flatMap(([step, word]) => {
    const count = indicator.steps.filter((one) => one === step).length
    return count === 0 ? [] : [{ step: step as FilterStep, word, count }]
  })
  const listed = entries.filter((_, place) => indicator.steps[place] === open.value)
  return (
    <>
      <fieldset class="judge-funnel" aria-label={`What happened to each message for ${indicator.id}`}>
        {counts.map(({ step, word, count }) => (
          <button
            type="button"
            key={step}
            aria-pressed={open.value === step}
            onClick={() => (open.value = open.value === step ? undefined : step)}
          >
            {wholeNumber(count)} {word}
          </button>
        ))}
      </fieldset>
      {open.value !== undefined && (
        <ol class="judge-dropped" aria-label={steps[open.value]}>
          {listed.slice(0, LISTED).map(({ seq, actor, direction, surface }) => (
            <li key={seq}>
              <button type="button" class="plain" aria-current={seq === selected} onClick={() => onOpen(seq)}>
                <span class="number">{seq}</span> <b>{shown(surface)}</b> {direction} <bdi>{shown(actor)}</bdi>
              </button>
            </li>
          ))}
          {listed.length > LISTED && <li class="muted">… and {wholeNumber(listed.length - LISTED)} more</li>}
        </ol>
      )}
    </>
  )
}

/** How many messages each step dropped, in the order of the steps. */
function funnelText(all: readonly FilterStep[]): string {
  const words = Object.entries(steps).flatMap(([step, word]) => {
    const count = all.filter((one) => one === step).length
    return count === 0 ? [] : [`${wholeNumber(count)} ${word}`]
  })
  return words.join(' · ')
}
