/** A run while it grows, and afterwards: its messages as a sequence diagram, with one of them open. */
import type { TraceEntry, Trial } from '@joust/arena'
import { MessagePanel, ResultBadge, Sequence, shown, type Trace } from '@joust/report/components'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { RunPlace } from '../model/api.ts'
import { ask } from './ask.ts'
import { cellOf, type LiveSuite, putBefore, runOf } from './live-suite.ts'
import { linkToJudge, writeRoute } from './route.ts'

/** A run of a suite of this studio. */
export function LiveSequence({ suite, place }: { readonly suite: LiveSuite; readonly place: RunPlace }): JSX.Element {
  const run = runOf(suite, place)
  const { trials } = cellOf(suite, place.target, place.file).value
  const result = trials.find(({ trial }) => trial === place.trial)
  // What happened before this tab was open, or while it was away for too long; the stream brings the rest.
  useEffect(() => {
    const query = { suite: String(suite.id), target: place.target, file: place.file, trial: String(place.trial) }
    void ask<TraceEntry[]>('/api/messages', query).then((asked) => {
      if (asked.ok) putBefore(run, asked.value)
    })
  }, [run])
  const end = suite.end.value
  const phases = Object.entries(run.phases.value).map(([actor, phase]) => `${actor}: ${phase}`)
  return (
    <RunSequence
      place={place}
      name={suite.planned.value?.attacks.find(({ file }) => file === place.file)?.attack.name ?? place.file}
      back={{ text: 'All attacks', href: writeRoute({ view: 'run', words: [], query: '' }) }}
      trace={run.trace.value}
      result={result}
      state={end === undefined ? ['running', ...phases].join(' · ') : 'not run'}
      link={
        end === undefined || end.state === 'failed' || !result?.trace
          ? undefined
          : { text: 'Judge this trace', href: linkToJudge(end.results, result.trace, place.file) }
      }
    />
  )
}

interface RunSequenceProps {
  readonly place: RunPlace
  /** The name of the attack. */
  readonly name: string
  readonly back: Link
  readonly trace: Trace
  readonly result: Trial | undefined
  /** What is said about it before it has a result. */
  readonly state: string
  /** Where more can be done with it. */
  readonly link: Link | undefined
}

interface Link {
  readonly text: string
  readonly href: string
}

export function RunSequence(props: RunSequenceProps): JSX.Element {
  const { place, name, back, trace, result, state, link } = props
  const selected = useSignal<number | undefined>(undefined)
  const panel = useRef<HTMLElement>(null)
  const verdicts = result?.verdict.indicator_verdicts ?? []
  const evidence = useMemo(() => evidenceOf(result), [result])
  return (
    <div class="attack live-run">
      <div class="attack-head">
        <p class="crumbs">
          <a href={back.href}>{shown(back.text)}</a> · <bdi>{shown(place.target)}</bdi> · trial {place.trial}
        </p>
        <div class="attack-title">
          <h1>
            <bdi>{shown(name)}</bdi>
          </h1>
          {result === undefined ? <span class="running">{shown(state)}</span> : <ResultBadge result={result.outcome} />}
          {result?.reasons.map((reason) => (
            <span class="muted" key={reason}>
              {shown(reason)}
            </span>
          ))}
          {link !== undefined && (
            <a class="button" href={link.href}>
              {link.text}
            </a>
          )}
        </div>
      </div>
      <div class={selected.value === undefined ? 'live-body' : 'live-body with-message'}>
        <Sequence
          trace={trace}
          actors={result?.actors ?? []}
          agent={place.target}
          evidence={evidence}
          bait={result?.exposure.bait_seq}
          selected={selected.value}
          onOpen={(seq) => (selected.value = seq)}
          foot={panel}
        />
        {selected.value !== undefined && (
          <MessagePanel
            trace={trace}
            seq={selected.value}
            agent={place.target}
            verdicts={verdicts.filter(({ entry }) => entry?.seq === selected.value)}
            task={[]}
            onClose={() => (selected.value = undefined)}
            element={panel}
          />
        )}
      </div>
    </div>
  )
}

/** The indicators that each message decided, by its `seq`. */
export function evidenceOf(trial: Trial | undefined): ReadonlyMap<number, readonly string[]> {
  const found = new Map<number, string[]>()
  for (const { indicator_id: id, result, entry } of trial?.verdict.indicator_verdicts ?? [])
    if (result === 'matched' && entry !== undefined) found.set(entry.seq, [...(found.get(entry.seq) ?? []), id])
  return found
}
