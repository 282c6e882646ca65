/** Explains the outcome of a trial: controls, what the model read, indicators, answer and facts. */
import {
  type AttackResults,
  controlFacts,
  outcomeVerdicts,
  statisticsOf,
  type TargetResults,
  type Trial,
} from '@joust/results'
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { TraceSummary } from './data.ts'
import { TrialFigures } from './figures.tsx'
import { DataFlows } from './flows.tsx'
import { Facts } from './headline.tsx'
import { Indicators } from './indicators.tsx'
import { ModelCall } from './model-call.tsx'
import { Block, RunFacts } from './run-facts.tsx'
import { Adaptive, ExposureView, Hardening, QuoteBlock, RunAgain, Task } from './story.tsx'
import { promptIn, type Trace } from './trace.ts'

interface WhyProps {
  readonly target: TargetResults
  readonly attack: AttackResults
  readonly trace: Trace
  readonly run: Trial
  readonly summary?: TraceSummary | undefined
  readonly onShow: (seq: number) => void
  readonly onLine: ((line: number) => void) | undefined
}

export function Why(props: WhyProps): JSX.Element {
  const { target, attack, trace, run, summary, onShow, onLine } = props
  const prompt = useMemo(() => promptIn(trace) ?? promptInWiring(run), [trace, run])
  const story = attack.attack
  return (
    <div class="why">
      <Block title="Trials" isEmpty={attack.trials.length < 2}>
        <TrialFigures statistics={statisticsOf(attack)} />
      </Block>
      <ControlsBlock attack={attack} />
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

/** Shows the evidence of a run on a page without a document. `attack` is undefined until the results are stored. */
export function TrialEvidence(props: {
  readonly run: Trial
  readonly trace: Trace
  readonly attack?: AttackResults | undefined
  /** Opens a message. */
  readonly onOpen: (seq: number) => void
}): JSX.Element {
  const { run, trace, attack, onOpen } = props
  const remediation = attack?.attack.remediation
  return (
    <>
      {attack !== undefined && <ControlsBlock attack={attack} />}
      {remediation !== undefined && <QuoteBlock title="What to change" text={remediation} />}
      <ExposureView exposure={run.exposure} onOpen={onOpen} />
      <ModelCall call={trace.baitCall} />
      <Block title="Indicators">
        <Indicators
          indicators={attack?.attack.indicators ?? []}
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

function ControlsBlock({ attack }: { readonly attack: AttackResults }): JSX.Element {
  const controls = controlFacts(attack)
  return (
    <Block title="Controls" isEmpty={controls.length === 0}>
      <Facts pairs={controls} />
    </Block>
  )
}

/** Returns the prompt quoted in the wiring, if no actor in the document sends a prompt. */
function promptInWiring({ wiring = [] }: Trial): string | undefined {
  const quoted = wiring.flatMap((line) => /^no client actor: the agent is asked .*?(".*")$/.exec(line)?.[1] ?? [])[0]
  try {
    const text: unknown = quoted === undefined ? undefined : JSON.parse(quoted)
    return typeof text === 'string' ? text : undefined
  } catch {
    // A redacted line may no longer be JSON.
    return quoted
  }
}
