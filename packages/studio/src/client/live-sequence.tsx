/** A run as it grows, and after it. */

import type { TraceEntry } from '@joust/arena'
import { MessagePanel, ResultBadge, Sequence, shown } from '@joust/report/components'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { RunPlace } from '../model/api.ts'
import { ask } from './ask.ts'
import { cellOf, type LiveSuite, putBefore, runOf } from './live-suite.ts'
import { linkToJudge, writeRoute } from './route.ts'
import type { ViewProps } from './view.ts'

export function LiveSequence(props: ViewProps & { readonly suite: LiveSuite; readonly place: RunPlace }): JSX.Element {
  const { suite, place } = props
  const run = runOf(suite, place)
  const cell = cellOf(suite, place.target, place.file).value
  const result = cell.trials.find(({ trial }) => trial === place.trial)
  const selected = useSignal<number | undefined>(undefined)
  const panel = useRef<HTMLElement>(null)
  // What was there before this tab was; the stream brings the rest.
  useEffect(() => {
    const query = { suite: String(suite.id), target: place.target, file: place.file, trial: String(place.trial) }
    void ask<TraceEntry[]>('/api/messages', query).then((asked) => {
      if (asked.ok) putBefore(run, asked.value)
    })
  }, [suite.id, place.target, place.file, place.trial])
  const verdicts = result?.verdict.indicator_verdicts ?? []
  const evidence = useMemo(() => {
    const found = new Map<number, string[]>()
    for (const { indicator_id: id, result: said, entry } of verdicts)
      if (said === 'matched' && entry !== undefined) found.set(entry.seq, [...(found.get(entry.seq) ?? []), id])
    return found
  }, [result])
  const name = suite.planned.value?.attacks.find(({ file }) => file === place.file)?.attack.name ?? place.file
  const phases = Object.entries(run.phases.value)
  const end = suite.end.value
  return (
    <div class="attack live-run">
      <div class="attack-head">
        <p class="crumbs">
          <a href={writeRoute({ view: 'run', words: [], query: '' })}>All attacks</a> · <bdi>{shown(place.target)}</bdi>{' '}
          · trial {place.trial}
        </p>
        <div class="attack-title">
          <h1>
            <bdi>{shown(name)}</bdi>
          </h1>
          {result === undefined ? <span class="running">running</span> : <ResultBadge result={result.outcome} />}
          {result?.reasons.map((reason) => (
            <span class="muted" key={reason}>
              {shown(reason)}
            </span>
          ))}
          {result === undefined &&
            phases.map(([actor, phase]) => (
              <span class="muted" key={actor}>
                {shown(actor)}: {shown(phase)}
              </span>
            ))}
          {end !== undefined && end.state !== 'failed' && result?.trace !== undefined && result.trace !== '' && (
            <a class="button" href={linkToJudge(end.results, result.trace, place.file)}>
              Judge this trace
            </a>
          )}
        </div>
      </div>
      <div class={selected.value === undefined ? 'live-body' : 'live-body with-message'}>
        <Sequence
          trace={run.trace.value}
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
            trace={run.trace.value}
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
