/** A trial of an attack: its story and verdicts, the sequence, the document, and the open message. */
import {
  type AttackResults,
  controlFacts,
  outcomeVerdicts,
  runsOf,
  statisticsOf,
  type TargetResults,
  type Trial,
} from '@joust/results'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { AttackHead } from './attack-head.tsx'
import type { TraceSummary } from './data.ts'
import { DocumentView } from './document-view.tsx'
import { TrialFigures } from './figures.tsx'
import { DataFlows } from './flows.tsx'
import { Facts } from './headline.tsx'
import { Note } from './icons.tsx'
import { Indicators } from './indicators.tsx'
import { MessagePanel } from './message-panel.tsx'
import { ModelCall } from './model-call.tsx'
import { Block, RunFacts } from './run-facts.tsx'
import { Sequence } from './sequence.tsx'
import { Adaptive, ExposureView, Hardening, QuoteBlock, RunAgain, Task } from './story.tsx'
import { plainText } from './text.tsx'
import { evidenceOf, promptIn, type Trace } from './trace.ts'
import { countText } from './words.ts'

interface AttackDetailProps {
  readonly target: TargetResults
  readonly targetName: string
  readonly attack: AttackResults
  /** The index of the run among the trials and those without the bait. */
  readonly trial: number
  readonly trace: Trace
  /** The summary of the trace, once it is complete. */
  readonly summary?: TraceSummary | undefined
  /** The open message. */
  readonly seq: number | undefined
  readonly onOpen: (seq: number | undefined) => void
  /** The URLs of the overview and of other trials of this attack. */
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

type Pane = 'sequence' | 'document'

function TrialBody(props: AttackDetailProps & { readonly run: Trial }): JSX.Element {
  const { attack, trace, run, seq, onOpen, targetName } = props
  const { text } = attack.attack
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
  const onLine = (number: number) => {
    pane.value = 'document'
    line.value = number
    // On a narrow screen the pane is far below; it is rendered in the next frame.
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
        {text !== undefined && <PaneTabs pane={pane.value} onPane={(next) => (pane.value = next)} />}
        {pane.value === 'document' && text !== undefined ? (
          <DocumentView text={text} marks={markedLines(attack, run)} line={line.value} />
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

/** Moves the focus back to the diagram when a message is closed. */
function useFocusBack(seq: number | undefined, body: { readonly current: HTMLElement | null }): void {
  const before = useRef(seq)
  useLayoutEffect(() => {
    const list = body.current?.querySelector('.virtual')
    if (seq === undefined && before.current !== undefined && list instanceof HTMLElement)
      list.focus({ preventScroll: true })
    before.current = seq
  }, [seq])
}

function Why(
  props: AttackDetailProps & {
    readonly run: Trial
    readonly onShow: (seq: number) => void
    readonly onLine: ((line: number) => void) | undefined
  },
): JSX.Element {
  const { target, attack, trace, run, summary, onShow, onLine } = props
  const prompt = useMemo(() => promptIn(trace) ?? promptWired(run), [trace, run])
  const story = attack.attack
  const controls = controlFacts(attack)
  return (
    <div class="why">
      <Block title="Trials" isEmpty={attack.trials.length < 2}>
        <TrialFigures statistics={statisticsOf(attack)} />
      </Block>
      <Block title="Controls" isEmpty={controls.length === 0}>
        <Facts pairs={controls} />
      </Block>
      {prompt !== undefined && <QuoteBlock title="The user's prompt" text={prompt} />}
      <ExposureView exposure={run.exposure} onOpen={onShow} />
      <ModelCall call={trace.baitCall} />
      <Block title="Indicators">
        <Indicators
          indicators={story.indicators}
          verdicts={outcomeVerdicts(run)}
          of="attack"
          trace={trace}
          onOpen={onShow}
          onLine={onLine}
        />
      </Block>
      <DataFlows flows={run.flows} onOpen={onShow} />
      {run.answer !== undefined && <QuoteBlock title="The agent's final answer" text={run.answer} />}
      {run.task !== undefined && (
        <Task task={run.task} indicators={story.task ?? []} trace={trace} onOpen={onShow} onLine={onLine} />
      )}
      <Hardening hardening={target.hardening} file={attack.file} />
      <Adaptive target={target} attack={attack} />
      <RunAgain target={target} file={attack.file} />
      <RunFacts attack={attack} trial={run} summary={summary} price={target.price} />
    </div>
  )
}

/** The evidence of one run, for a page that does not have the results of its attack. */
export function TrialEvidence(props: {
  readonly run: Trial
  readonly trace: Trace
  /** Shows a message. */
  readonly onOpen: (seq: number) => void
}): JSX.Element {
  const { run, trace, onOpen } = props
  return (
    <>
      <ExposureView exposure={run.exposure} onOpen={onOpen} />
      <ModelCall call={trace.baitCall} />
      <Block title="Indicators">
        <Indicators
          indicators={[]}
          verdicts={outcomeVerdicts(run)}
          of="attack"
          {...{ trace, onOpen }}
          onLine={undefined}
        />
      </Block>
      <DataFlows flows={run.flows} onOpen={onOpen} />
      {run.answer !== undefined && <QuoteBlock title="The agent's final answer" text={run.answer} />}
    </>
  )
}

/** The prompt from the wiring, for a document without an actor that sends one. */
function promptWired({ wiring = [] }: Trial): string | undefined {
  const quoted = wiring.flatMap((line) => /^no client actor: the agent is asked .*?(".*")$/.exec(line)?.[1] ?? [])[0]
  try {
    const text: unknown = quoted === undefined ? undefined : JSON.parse(quoted)
    return typeof text === 'string' ? text : undefined
  } catch {
    // A redacted line may no longer be JSON.
    return quoted
  }
}

function PaneTabs(props: { readonly pane: Pane; readonly onPane: (pane: Pane) => void }): JSX.Element {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset adds a legend and a frame
    <div class="pane-tabs" role="group" aria-label="Pane">
      {(['sequence', 'document'] as const).map((pane) => (
        <button key={pane} type="button" aria-pressed={props.pane === pane} onClick={() => props.onPane(pane)}>
          {pane === 'sequence' ? 'Sequence' : 'Document'}
        </button>
      ))}
    </div>
  )
}

/** The lines of indicators, each with its verdict. */
function markedLines({ attack }: AttackResults, run: Trial): ReadonlyMap<number, string> {
  const results = new Map(
    [...outcomeVerdicts(run), ...(run.task?.indicator_verdicts ?? [])].map(({ indicator_id, result }) => [
      indicator_id,
      result,
    ]),
  )
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

/** Notes about omitted and truncated parts of a trace. */
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
