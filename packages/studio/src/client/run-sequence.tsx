/** A live or finished run, as a sequence diagram with a message panel. */

import {
  countText,
  evidenceOf,
  MessagePanel,
  ResultBadge,
  Sequence,
  shown,
  shownName,
  TrialEvidence,
  traceOf,
} from '@joust/report/components'
import { outcomeVerdicts, type Trial } from '@joust/results'
import { type Signal, useSignal } from '@preact/signals'
import type { JSX, RefObject } from 'preact'
import { useMemo, useRef } from 'preact/hooks'
import type { RunPlace, WatchedRun } from '../model/api.ts'
import { ask, repeat, useWork } from './ask.ts'
import { useAttack, useTrace } from './run-report.tsx'

/** Milliseconds between polls of a campaign run. Workers check for watchers at the same interval. */
const EVERY_MS = 1000

/** Milliseconds between polls of a run in this process. */
const LIVE_MS = 250

interface RunSequenceProps {
  /** Id of a suite in this process, or name of a campaign. */
  readonly of: { readonly suite: string } | { readonly name: string }
  readonly place: RunPlace
  readonly name: string
  readonly back: Link
  /** Text to show while the run is not in progress. */
  readonly idle: string
  /** Name of the results folder, once results are stored. */
  readonly results?: string | undefined
  /** Returns links for the finished run. */
  readonly linksFor: (result: Trial) => readonly Link[]
}

interface Link {
  readonly text: string
  readonly href: string
}

/** Polls a run while it is shown. The worker uploads messages only while the run is polled. */
function useWatched({ of, place }: RunSequenceProps) {
  const trace = useSignal(traceOf([]))
  const current = useSignal<Omit<WatchedRun, 'entries'> | undefined>(undefined)
  const fault = useSignal('')
  const isHere = 'suite' in of
  const poll = async () => {
    const { attempt = '', part = 0 } = current.value ?? {}
    const { target, file, arm = '', trial } = place
    const query = { ...of, target, file, arm, trial: String(trial), attempt, part: String(part) }
    const answer = await ask<WatchedRun>('/api/watch', query)
    fault.value = answer.ok ? '' : answer.error.message
    if (!answer.ok) return !isHere || answer.error.status !== 404
    const { entries, ...now } = answer.value
    const [before, after] = [now.attempt === attempt ? trace.value : traceOf([]), traceOf(entries)]
    trace.value = { messages: [...before.messages, ...after.messages], lines: [...before.lines, ...after.lines] }
    current.value = now
    // A worker may still take the run of a campaign.
    return now.trial === undefined && (now.isRunning || !isHere)
  }
  useWork((signal) => repeat(poll, isHere ? LIVE_MS : EVERY_MS, signal), [])
  // In this process, `part` is the number of messages so far, some of which may have been dropped.
  const missed = isHere && current.value !== undefined ? current.value.part - trace.value.messages.length : 0
  return { trace: trace.value, now: current.value, fault: fault.value, missed }
}

export function RunSequence(props: RunSequenceProps): JSX.Element {
  const { place, name, back, idle, results, linksFor } = props
  const { trace, now, fault, missed } = useWatched(props)
  const selected = useSignal<number | undefined>(undefined)
  const panel = useRef<HTMLElement>(null)
  const result = now?.trial
  const verdicts = result === undefined ? [] : outcomeVerdicts(result)
  const evidence = useMemo(() => evidenceOf(verdicts), [result])
  // Calls to the agent's model are not streamed.
  const baitCall = useTrace(results ?? '', results && result?.trace)?.baitCall
  const stored = useAttack(results, place.target, place.file)
  const attack = stored?.ok === true ? stored.value : undefined
  return (
    <div class="attack live-run">
      <div class="attack-head">
        <p class="crumbs">
          <a href={back.href}>{shown(back.text)}</a> · {shownName(place.target)} · {place.arm && 'without the bait, '}
          trial {place.trial}
        </p>
        <div class="attack-title">
          <h1>{shownName(name)}</h1>
          {result === undefined ? (
            <span class="running">{shown(fault || stateOf(now, idle))}</span>
          ) : (
            <ResultBadge result={result.outcome} />
          )}
          {result?.reasons.map((reason) => (
            <span class="muted" key={reason}>
              {shown(reason)}
            </span>
          ))}
          {missed > 0 && <span class="muted">{countText(missed, 'message')} not shown here; see the results</span>}
          {result !== undefined &&
            linksFor(result).map(({ text, href }) => (
              <a class="button" href={href} key={href}>
                {text}
              </a>
            ))}
        </div>
      </div>
      <div class={result === undefined ? 'live-alone' : 'attack-body'}>
        {result !== undefined && (
          <div class="why">
            <TrialEvidence
              run={result}
              attack={attack}
              trace={{ ...trace, ...(baitCall && { baitCall }) }}
              onOpen={(seq) => (selected.value = seq)}
            />
          </div>
        )}
        <SequenceAndMessage
          class="live-body"
          {...{ trace, evidence, verdicts, selected, panel }}
          actors={result?.actors ?? []}
          agent={place.target}
          bait={result?.exposure.bait_seq}
          flows={result?.flows}
        />
      </div>
    </div>
  )
}

function stateOf(now: Pick<WatchedRun, 'isRunning' | 'phases'> | undefined, idle: string): string {
  if (now === undefined) return 'loading …'
  const phases = Object.entries(now.phases ?? {}).map(([actor, phase]) => `${actor}: ${phase}`)
  return now.isRunning ? ['running', ...phases].join(' · ') : idle
}

type SequenceProps = Parameters<typeof Sequence>[0]
type MessageProps = Parameters<typeof MessagePanel>[0]

export function SequenceAndMessage(
  props: Omit<SequenceProps, 'selected' | 'onOpen' | 'foot'> &
    Pick<MessageProps, 'verdicts'> & {
      readonly class: string
      readonly selected: Signal<number | undefined>
      readonly panel: RefObject<HTMLElement | null>
    },
): JSX.Element {
  const { class: name, selected, panel, verdicts, ...diagram } = props
  const seq = selected.value
  return (
    <div class={seq === undefined ? name : `${name} with-message`}>
      <Sequence {...diagram} selected={seq} onOpen={(message) => (selected.value = message)} foot={panel} />
      {seq !== undefined && (
        <MessagePanel
          trace={diagram.trace}
          seq={seq}
          agent={diagram.agent}
          verdicts={verdicts}
          flows={diagram.flows}
          onOpen={(message) => (selected.value = message)}
          onClose={() => (selected.value = undefined)}
          element={panel}
        />
      )}
    </div>
  )
}
