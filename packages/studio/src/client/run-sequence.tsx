/** A run while it grows, and afterwards: its messages as a sequence diagram, with one of them open. */
import { outcomeVerdicts, type Trial } from '@joust/arena'
import {
  countText,
  evidenceOf,
  MessagePanel,
  ResultBadge,
  Sequence,
  shown,
  shownName,
  traceOf,
} from '@joust/report/components'
import { type Signal, useSignal } from '@preact/signals'
import type { JSX, RefObject } from 'preact'
import { useMemo, useRef } from 'preact/hooks'
import type { RunPlace, WatchedRun } from '../model/api.ts'
import { ask, repeat, useWork } from './ask.ts'

/** How often a run is asked for; its worker checks as often whether somebody asks. */
const EVERY_MS = 1000

/** The same for a run here, which costs nothing but the question. */
const LIVE_MS = 250

interface RunSequenceProps {
  /** The suite here by its id, or the campaign by its name. */
  readonly of: { readonly suite: string } | { readonly name: string }
  readonly place: RunPlace
  /** The name of the attack. */
  readonly name: string
  readonly back: Link
  /** What is said while nobody runs it. */
  readonly idle: string
  /** Where more can be done with it. */
  readonly linkFor: (result: Trial) => Link | undefined
}

interface Link {
  readonly text: string
  readonly href: string
}

/** Asks for the run while it is open here, which is what makes a worker show it. */
function useWatched({ of, place }: RunSequenceProps) {
  const trace = useSignal(traceOf([]))
  const seen = useSignal<Omit<WatchedRun, 'entries'> | undefined>(undefined)
  const fault = useSignal('')
  const isHere = 'suite' in of
  const look = async () => {
    const { attempt = '', part = 0 } = seen.value ?? {}
    const { target, file, trial } = place
    const query = { ...of, target, file, trial: String(trial), attempt, part: String(part) }
    const asked = await ask<WatchedRun>('/api/watch', query)
    fault.value = asked.ok ? '' : asked.error.message
    if (!asked.ok) return !isHere || asked.error.status !== 404
    const { entries, ...now } = asked.value
    const [before, after] = [now.attempt === attempt ? trace.value : traceOf([]), traceOf(entries)]
    trace.value = {
      messages: [...before.messages, ...after.messages],
      lines: [...before.lines, ...after.lines],
    }
    seen.value = now
    // A worker may still take a run of a campaign.
    return now.trial === undefined && (now.isRunning || !isHere)
  }
  useWork((left) => repeat(look, isHere ? LIVE_MS : EVERY_MS, left), [])
  // The part of a run here is the number of its messages so far, some of which may be forgotten.
  const missed = isHere && seen.value !== undefined ? seen.value.part - trace.value.messages.length : 0
  return { trace: trace.value, now: seen.value, fault: fault.value, missed }
}

export function RunSequence(props: RunSequenceProps): JSX.Element {
  const { place, name, back, idle, linkFor } = props
  const { trace, now, fault, missed } = useWatched(props)
  const selected = useSignal<number | undefined>(undefined)
  const panel = useRef<HTMLElement>(null)
  const result = now?.trial
  const verdicts = result === undefined ? [] : outcomeVerdicts(result)
  const evidence = useMemo(() => evidenceOf(verdicts), [result])
  const link = result && linkFor(result)
  return (
    <div class="attack live-run">
      <div class="attack-head">
        <p class="crumbs">
          <a href={back.href}>{shown(back.text)}</a> · {shownName(place.target)} · trial {place.trial}
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
          {missed > 0 && <span class="muted">{countText(missed, 'message')} not shown here; results have all</span>}
          {link !== undefined && (
            <a class="button" href={link.href}>
              {link.text}
            </a>
          )}
        </div>
      </div>
      <SequenceAndMessage
        class="live-body"
        {...{ trace, evidence, verdicts, selected, panel }}
        actors={result?.actors ?? []}
        agent={place.target}
        bait={result?.exposure.bait_seq}
      />
    </div>
  )
}

function stateOf(now: Pick<WatchedRun, 'isRunning' | 'phases'> | undefined, idle: string): string {
  if (now === undefined) return 'looking …'
  const phases = Object.entries(now.phases ?? {}).map(([actor, phase]) => `${actor}: ${phase}`)
  return now.isRunning ? ['running', ...phases].join(' · ') : idle
}

type SequenceProps = Parameters<typeof Sequence>[0]
type MessageProps = Parameters<typeof MessagePanel>[0]

/** A sequence diagram, and beside it the message that is open. */
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
      <Sequence {...diagram} selected={seq} onOpen={(wanted) => (selected.value = wanted)} foot={panel} />
      {seq !== undefined && (
        <MessagePanel
          trace={diagram.trace}
          seq={seq}
          agent={diagram.agent}
          verdicts={verdicts}
          onClose={() => (selected.value = undefined)}
          element={panel}
        />
      )}
    </div>
  )
}
