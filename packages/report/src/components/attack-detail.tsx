/** The page for a trial: its summary and verdicts, the sequence, the document, and the open message. */
import { type AttackResults, outcomeVerdicts, runsOf, type TargetResults, type Trial } from '@joust/results'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { AttackHead } from './attack-head.tsx'
import type { TraceSummary } from './data.ts'
import { DocumentView } from './document-view.tsx'
import { Note } from './icons.tsx'
import { MessagePanel } from './message-panel.tsx'
import { Pair } from './pair.tsx'
import { Sequence } from './sequence.tsx'
import { RunAgain } from './story.tsx'
import { plainText } from './text.tsx'
import { evidenceOf, type Trace } from './trace.ts'
import { Why } from './why.tsx'
import { countText } from './words.ts'

interface AttackDetailProps {
  readonly target: TargetResults
  readonly targetName: string
  readonly attack: AttackResults
  /** Index of the run among all runs: the trials, followed by the runs without the bait. */
  readonly trial: number
  readonly trace: Trace
  /** The run to compare with: for a trial, a run without the bait, and vice versa. */
  readonly counterpart?:
    | { readonly run: Trial; readonly trace: Trace; readonly onOpen: (seq: number) => void }
    | undefined
  /** The summary of the trace. Absent until the trace is complete. */
  readonly summary?: TraceSummary | undefined
  /** The `seq` of the open message. */
  readonly seq: number | undefined
  readonly onOpen: (seq: number | undefined) => void
  readonly overview: string
  readonly linkToTrial: (trial: number) => string
}

export function AttackDetail(props: AttackDetailProps): JSX.Element {
  const { attack, targetName, overview, linkToTrial, summary } = props
  const trial = runsOf(attack)[props.trial]
  return (
    <div class="attack">
      <AttackHead {...{ attack, targetName, overview, linkToTrial }} trial={props.trial} />
      {trial !== undefined && summary !== undefined && <CutNotes trial={trial} summary={summary} />}
      {trial === undefined ? <NoTrial {...props} /> : <TrialBody {...props} run={trial} key={trial.trial} />}
    </div>
  )
}

type Pane = 'sequence' | 'pair' | 'document'

function TrialBody(props: AttackDetailProps & { readonly run: Trial }): JSX.Element {
  const { attack, trace, run, counterpart, seq, onOpen, targetName } = props
  const { text } = attack.attack
  const isPlacebo = props.trial >= attack.trials.length
  const panes = (['sequence', 'pair', 'document'] as const).filter(
    (pane) => pane === 'sequence' || (pane === 'pair' ? counterpart : text) !== undefined,
  )
  const pane = useSignal<Pane>(trace.messages.length === 0 && text !== undefined ? 'document' : 'sequence')
  const line = useSignal<number | undefined>(undefined)
  const panel = useRef<HTMLElement>(null)
  const body = useRef<HTMLDivElement>(null)
  const verdicts = useMemo(() => outcomeVerdicts(run), [run])
  const evidence = useMemo(() => evidenceOf(verdicts), [verdicts])
  const toPane = () => body.current?.querySelector('.pane')?.scrollIntoView()
  const show = (message: number) => {
    pane.value = 'sequence'
    onOpen(message)
  }
  const own = { run, trace, onOpen: show }
  const onLine = (number: number) => {
    pane.value = 'document'
    line.value = number
    // On a narrow screen the pane is far below. It is rendered in the next frame.
    requestAnimationFrame(toPane)
  }
  useFocusBack(seq, body)
  const open = seq !== undefined && pane.value === 'sequence'
  const bait = run.exposure.bait_seq
  return (
    <div class={open ? 'attack-body with-message' : 'attack-body'} ref={body}>
      <button type="button" class="jump" onClick={toPane}>
        Go to the sequence
      </button>
      <Why {...props} onShow={show} onLine={text === undefined ? undefined : onLine} />
      <div class="pane">
        <PaneTabs panes={panes} pane={pane.value} onPane={(next) => (pane.value = next)} />
        {pane.value === 'document' && text !== undefined ? (
          <DocumentView text={text} marks={markedLines(attack, run)} line={line.value} />
        ) : pane.value === 'pair' && counterpart !== undefined ? (
          <Pair sides={isPlacebo ? [counterpart, own] : [own, counterpart]} agent={targetName} />
        ) : (
          <Sequence
            {...{ trace, evidence, bait, onOpen }}
            flows={run.flows}
            actors={run.actors}
            agent={targetName}
            selected={seq}
            foot={panel}
          />
        )}
      </div>
      {open && (
        <MessagePanel
          {...{ trace, seq, verdicts, onOpen }}
          flows={run.flows}
          agent={targetName}
          task={run.task?.indicator_verdicts}
          onClose={() => onOpen(undefined)}
          element={panel}
        />
      )}
    </div>
  )
}

function useFocusBack(seq: number | undefined, body: { readonly current: HTMLElement | null }): void {
  const before = useRef(seq)
  useLayoutEffect(() => {
    const list = body.current?.querySelector('.virtual')
    if (seq === undefined && before.current !== undefined && list instanceof HTMLElement)
      list.focus({ preventScroll: true })
    before.current = seq
  }, [seq])
}

const paneNames: Readonly<Record<Pane, string>> = {
  sequence: 'Sequence',
  pair: 'With and without the bait',
  document: 'Document',
}

function PaneTabs(props: {
  readonly panes: readonly Pane[]
  readonly pane: Pane
  readonly onPane: (pane: Pane) => void
}): JSX.Element | null {
  if (props.panes.length < 2) return null
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset adds a legend and a frame
    <div class="pane-tabs" role="group" aria-label="Pane">
      {props.panes.map((pane) => (
        <button key={pane} type="button" aria-pressed={props.pane === pane} onClick={() => props.onPane(pane)}>
          {paneNames[pane]}
        </button>
      ))}
    </div>
  )
}

function markedLines({ attack }: AttackResults, run: Trial): ReadonlyMap<number, string> {
  const verdicts = [...outcomeVerdicts(run), ...(run.task?.indicator_verdicts ?? [])]
  const results = new Map(verdicts.map(({ indicator_id, result }) => [indicator_id, result]))
  const all = [...attack.indicators, ...(attack.task ?? [])]
  return new Map(
    all.flatMap(({ id, line }) => {
      const result = results.get(id)?.replace('_', ' ')
      return line === undefined ? [] : [[line, result === undefined ? id : `${id} ${result}`] as const]
    }),
  )
}

function NoTrial({ target, attack }: AttackDetailProps): JSX.Element {
  return (
    <div class="why why-alone">
      <Note>This attack has no trials.</Note>
      <RunAgain target={target} file={attack.file} />
      {attack.attack.text !== undefined && <DocumentView text={attack.attack.text} marks={new Map()} />}
    </div>
  )
}

function CutNotes({ trial, summary }: { readonly trial: Trial; readonly summary: TraceSummary }): JSX.Element {
  const { leftOut, shortened, fault } = summary
  const where = plainText(trial.trace)
  return (
    <div class="cut-notes">
      {leftOut > 0 && (
        <Note>
          {`${countText(leftOut, 'message')} of this trace omitted because of the size limit; all messages that decided an indicator are included. The whole trace is in ${where}.`}
        </Note>
      )}
      {shortened > 0 && <Note>{`${countText(shortened, 'message')} truncated. The whole trace is in ${where}.`}</Note>}
      {fault !== undefined && <Note error>{`Cannot read the trace: ${plainText(fault)}`}</Note>}
    </div>
  )
}
