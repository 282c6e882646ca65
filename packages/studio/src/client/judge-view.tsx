/** Judge a trace: what an attack's indicators find in recorded messages, as the attack is edited. */

import type { EditorView } from '@codemirror/view'
import { ResultBadge, Sequence, shown, traceOf } from '@joust/report/components'
import { type Signal, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { FileText, FilterStep, TraceJudgement } from '../model/api.ts'
import { ask, change } from './ask.ts'
import { ScrolledText } from './controls.tsx'
import { openEditor } from './editor.ts'
import type { ViewProps } from './studio-state.ts'

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

/** How long typing has to pause before the trace is judged again. */
const PAUSE_MS = 250

/** A trace that was dropped here, or one from results. */
interface GivenTrace {
  readonly name: string
  readonly text: string
  readonly results?: string
}

function givenIn(query: string): GivenTrace | undefined {
  const asked = new URLSearchParams(query)
  const [results, trace] = [asked.get('results'), asked.get('trace')]
  return results === null || trace === null ? undefined : { name: `${trace} of ${results}`, text: trace, results }
}

export function JudgeView({ state, route }: ViewProps): JSX.Element {
  const trace = useSignal<GivenTrace | undefined>(givenIn(route.query))
  const attack = useSignal('')
  const { judged, fault } = useJudgement(trace, attack)
  const editor = useRef<EditorView | undefined>(undefined)
  const choose = async (path: string) => {
    const read = await ask<FileText>('/api/file', { path })
    const view = editor.current
    fault.value = read.ok ? '' : read.error.message
    if (read.ok) view?.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: read.value.text } })
  }
  const wanted = new URLSearchParams(route.query).get('attack')
  useEffect(() => {
    if (wanted !== null) void choose(wanted)
  }, [wanted])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files can be chosen with the keyboard just below
    <div
      class="judge"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        void take(trace, event.dataTransfer?.files[0])
      }}
    >
      <h1>Judge a trace</h1>
      <div class="judge-inputs">
        <TraceChoice trace={trace} />
        <AttackChoice files={state.files.value ?? []} wanted={wanted ?? ''} choose={choose} />
      </div>
      <div class="judge-body">
        <AttackEditor
          ask={state.language()}
          onOpen={(view) => (editor.current = view)}
          onChange={(text) => (attack.value = text)}
        />
        <div class="judge-result">
          {fault.value !== '' && <ScrolledText class="problem" label="Problem" text={fault.value} alert />}
          {judged.value === undefined ? (
            <p class="muted">
              Give a trace and an attack: every indicator is shown with what it matches, and with the step that drops
              each message.
            </p>
          ) : (
            <Judged judged={judged.value} />
          )}
        </div>
      </div>
    </div>
  )
}

/** What the attack makes of the trace, asked for anew when either has changed; the last answer stays beside a fault. */
function useJudgement(trace: Signal<GivenTrace | undefined>, attack: Signal<string>) {
  const judged = useSignal<TraceJudgement | undefined>(undefined)
  const fault = useSignal('')
  useEffect(() => {
    const { text, results } = trace.value ?? {}
    if (text === undefined || attack.value.trim() === '') return
    const wait = setTimeout(async () => {
      const body = { attack: attack.value, trace: text, ...(results !== undefined && { results }) }
      const asked = await change<TraceJudgement>('/api/judge', body)
      if (asked.ok) judged.value = asked.value
      fault.value = asked.ok ? '' : asked.error.message
    }, PAUSE_MS)
    return () => clearTimeout(wait)
  }, [trace.value, attack.value])
  return { judged, fault }
}

async function take(trace: Signal<GivenTrace | undefined>, file: File | undefined): Promise<void> {
  if (file !== undefined) trace.value = { name: file.name, text: await file.text() }
}

function TraceChoice({ trace }: { readonly trace: Signal<GivenTrace | undefined> }): JSX.Element {
  return (
    <label class="drop">
      <span>
        {trace.value === undefined
          ? 'Drop a trace here, or choose one: of joust or ThoughtJack, as JSON lines'
          : `Trace: ${shown(trace.value.name)}`}
      </span>
      <input
        type="file"
        accept=".jsonl,.ndjson,.json"
        onChange={({ currentTarget }) => take(trace, currentTarget.files?.[0])}
      />
    </label>
  )
}

function AttackChoice(props: {
  readonly files: readonly string[]
  readonly wanted: string
  readonly choose: (path: string) => void
}): JSX.Element {
  const attacks = props.files.filter((file) => /\.oatf\./.test(file))
  return (
    <label>
      Attack{' '}
      <select value={props.wanted} onChange={({ currentTarget }) => props.choose(currentTarget.value)}>
        <option value="">choose one, or write below</option>
        {attacks.map((file) => (
          <option key={file} value={file}>
            {file}
          </option>
        ))}
      </select>
    </label>
  )
}

/** The attack whose indicators judge, with the language support of the file editor; nothing is saved. */
function AttackEditor(props: {
  readonly ask: Parameters<typeof openEditor>[3]
  readonly onOpen: (view: EditorView) => void
  readonly onChange: (text: string) => void
}): JSX.Element {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (place.current === null) return
    const nothing = () => undefined
    const view = openEditor(place.current, 'judged.oatf.yaml', '', props.ask, {
      onChange: props.onChange,
      onCursor: nothing,
      onFindings: nothing,
      onSave: nothing,
      onLeave: nothing,
    })
    props.onOpen(view)
    return () => view.destroy()
  }, [])
  return <div class="editor" ref={place} />
}

function Judged({ judged }: { readonly judged: TraceJudgement }): JSX.Element {
  const chosen = useSignal(0)
  const selected = useSignal<number | undefined>(undefined)
  const trace = useMemo(() => traceOf(judged.entries), [judged])
  const indicator = judged.indicators[chosen.value] ?? judged.indicators[0]
  const matched = useMemo(
    () =>
      new Map(
        judged.entries.flatMap(({ seq }, place) =>
          indicator?.steps[place] === 'matched' ? [[seq, [indicator.id]] as const] : [],
        ),
      ),
    [judged, indicator],
  )
  const place = judged.entries.findIndex(({ seq }) => seq === selected.value)
  return (
    <>
      <p role="status">
        <ResultBadge result={judged.outcome} /> {judged.reasons.map((reason) => shown(reason))}
      </p>
      <ul class="judge-indicators">
        {judged.indicators.map(({ id, result, steps: dropped }, index) => (
          <li key={id}>
            <button type="button" aria-pressed={indicator?.id === id} onClick={() => (chosen.value = index)}>
              <ResultBadge result={result} /> <b>{shown(id)}</b>
              <span class="muted">{funnelText(dropped)}</span>
            </button>
          </li>
        ))}
      </ul>
      {indicator !== undefined && (
        <Funnel
          indicator={indicator}
          entries={judged.entries}
          selected={selected.value}
          onOpen={(seq) => (selected.value = seq)}
        />
      )}
      {place >= 0 && indicator !== undefined && (
        <p role="status">
          Message {selected.value}: <b>{steps[indicator.steps[place] ?? 'unreadable']}</b>
        </p>
      )}
      <div class="judge-sequence">
        <Sequence
          trace={trace}
          actors={[]}
          agent="agent"
          evidence={matched}
          selected={selected.value}
          onOpen={(seq) => (selected.value = seq)}
        />
      </div>
    </>
  )
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
            {count} {word}
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
          {listed.length > LISTED && <li class="muted">… and {listed.length - LISTED} more</li>}
        </ol>
      )}
    </>
  )
}

/** How many messages each step dropped, in the order of the steps. */
function funnelText(all: readonly FilterStep[]): string {
  const words = Object.entries(steps).flatMap(([step, word]) => {
    const count = all.filter((one) => one === step).length
    return count === 0 ? [] : [`${count} ${word}`]
  })
  return words.join(' · ')
}
