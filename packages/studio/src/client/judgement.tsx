/** The judgement of a trace: outcome, indicators with their filter steps, and messages. */

import { DataFlows, numberText, ResultBadge, shown, shownName, traceOf } from '@joust/report/components'
import type { FilterStep } from '@joust/results'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { TraceJudgement } from '../model/api.ts'
import { SequenceAndMessage } from './run-sequence.tsx'

type JudgedIndicator = TraceJudgement['indicators'][number]

const steps: Readonly<Record<FilterStep, string>> = {
  protocol: 'other protocol',
  surface: 'other surface',
  actor: 'other actor',
  direction: 'other direction',
  unreadable: 'malformed',
  evaluated: 'evaluated, no match',
  matched: 'matched',
  error: 'evaluation failed',
}

export function Judgement(props: {
  readonly judged: TraceJudgement
  readonly onChoose: (id: string) => void
}): JSX.Element {
  const { judged, onChoose } = props
  const chosen = useSignal(0)
  const selected = useSignal<number | undefined>(undefined)
  const panel = useRef<HTMLElement>(null)
  const trace = useMemo(() => traceOf(judged.entries), [judged])
  useEffect(() => panel.current?.scrollIntoView({ block: 'nearest' }), [selected.value])
  const indicator = judged.indicators[chosen.value] ?? judged.indicators[0]
  const matched = useMemo(() => matchesOf(judged, indicator), [judged, indicator])
  const step = indicator === undefined ? undefined : stepOf(judged, indicator, selected.value)
  return (
    <>
      <p role="status">
        <ResultBadge result={judged.outcome} />
      </p>
      {judged.reasons.length > 0 && <Reasons reasons={judged.reasons} />}
      {judged.entries.length === 0 && <p class="muted">The trace has no readable messages.</p>}
      <IndicatorList
        judged={judged}
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
      <DataFlows flows={judged.flows} onOpen={(seq) => (selected.value = seq)} />
      <SequenceAndMessage
        class="judge-sequence"
        {...{ trace, selected, panel }}
        actors={[]}
        agent="agent"
        evidence={matched}
        verdicts={indicator?.verdicts ?? []}
        flows={judged.flows}
      />
    </>
  )
}

function matchesOf({ entries }: TraceJudgement, indicator: JudgedIndicator | undefined) {
  const matches = entries.filter((_, place) => indicator?.steps[place] === 'matched')
  return new Map(matches.map(({ seq }) => [seq, [indicator?.id ?? '']]))
}

function IndicatorList(props: {
  readonly judged: TraceJudgement
  readonly chosen: string | undefined
  readonly onChoose: (id: string, index: number) => void
}): JSX.Element {
  return (
    <ul class="judge-indicators">
      {props.judged.indicators.map(({ id, result, steps: dropped }, index) => (
        <li key={id}>
          <button type="button" aria-pressed={props.chosen === id} onClick={() => props.onChoose(id, index)}>
            <ResultBadge result={result} /> <b>{shown(id)}</b>
            <span class="muted">
              {countsOf(dropped)
                .map(({ text }) => text)
                .join(' · ')}
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}

/** Number of reasons that are shown initially. */
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

/** Returns the filter step that a message reached. If messages share a `seq`, a match takes precedence. */
function stepOf(
  { entries }: TraceJudgement,
  indicator: JudgedIndicator,
  seq: number | undefined,
): FilterStep | undefined {
  const reached = entries.flatMap((entry, place) => (entry.seq === seq ? (indicator.steps[place] ?? []) : []))
  return reached.includes('matched') ? 'matched' : reached[0]
}

/** Maximum number of messages listed per step. */
const LISTED = 200

function Funnel(props: {
  readonly indicator: JudgedIndicator
  readonly entries: TraceJudgement['entries']
  readonly selected: number | undefined
  readonly onOpen: (seq: number) => void
}): JSX.Element {
  const { indicator, entries, selected, onOpen } = props
  const open = useSignal<FilterStep | undefined>(undefined)
  const listed = entries.filter((_, place) => indicator.steps[place] === open.value)
  return (
    <>
      <fieldset class="judge-funnel" aria-label={`Filter steps of ${indicator.id}`}>
        {countsOf(indicator.steps).map(({ step, text }) => (
          <button
            type="button"
            key={step}
            aria-pressed={open.value === step}
            onClick={() => (open.value = open.value === step ? undefined : step)}
          >
            {text}
          </button>
        ))}
      </fieldset>
      {open.value !== undefined && (
        <ol class="judge-dropped" aria-label={steps[open.value]}>
          {listed.slice(0, LISTED).map(({ seq, actor, direction, surface }) => (
            <li key={seq}>
              <button type="button" class="plain" aria-current={seq === selected} onClick={() => onOpen(seq)}>
                <span class="number">{seq}</span> <b>{shown(surface)}</b> {direction} {shownName(actor)}
              </button>
            </li>
          ))}
          {listed.length > LISTED && <li class="muted">… and {numberText(listed.length - LISTED)} more</li>}
        </ol>
      )}
    </>
  )
}

function countsOf(all: readonly FilterStep[]): { readonly step: FilterStep; readonly text: string }[] {
  // Object.keys is typed as string[].
  return (Object.keys(steps) as FilterStep[]).flatMap((step) => {
    const count = all.filter((one) => one === step).length
    return count === 0 ? [] : [{ step, text: `${numberText(count)} ${steps[step]}` }]
  })
}
