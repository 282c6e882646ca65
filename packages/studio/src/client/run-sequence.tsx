/** A run while it grows, and afterwards: its messages as a sequence diagram, with one of them open. */
import type { TraceEntry, Trial } from '@joust/arena'
import { evidenceOf, MessagePanel, ResultBadge, Sequence, shown, type Trace } from '@joust/report/components'
import { type Signal, useSignal } from '@preact/signals'
import type { JSX, RefObject } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { RunPlace } from '../model/api.ts'
import { ask } from './ask.ts'
import { cellOf, type LiveSuite, putBefore, runOf } from './live-suite.ts'
import { linkTo } from './route.ts'

/** A run of a suite of this studio. */
export function LiveSequence({ suite, place }: { readonly suite: LiveSuite; readonly place: RunPlace }): JSX.Element {
  const run = runOf(suite, place)
  const { trials } = cellOf(suite, place).value
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
      back={{ text: 'All attacks', href: linkTo('run') }}
      trace={run.trace.value}
      result={result}
      state={end === undefined ? ['running', ...phases].join(' · ') : 'not run'}
      link={
        end === undefined || end.state === 'failed' || !result?.trace
          ? undefined
          : {
              text: 'Judge this trace',
              href: linkTo('judge', [], { results: end.results, trace: result.trace, attack: place.file }),
            }
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
  const evidence = useMemo(() => evidenceOf(verdicts), [result])
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
