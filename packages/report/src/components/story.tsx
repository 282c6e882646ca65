/** The course of a trial: the prompt, the exposure, the answer, the task, hardening and adaptive search. */
import {
  type AttackResults,
  adaptiveSummary,
  type Exposure,
  exposureText,
  type ResultVerdict,
  type TargetResults,
} from '@joust/results'
import { shellWord } from '@joust/source'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { Icon } from './icons.tsx'
import { Indicators, type IndicatorsProps } from './indicators.tsx'
import { Block, Findings } from './run-facts.tsx'
import { shown } from './text.tsx'
import { countText } from './words.ts'

export function QuoteBlock({ title, text }: { readonly title: string; readonly text: string }): JSX.Element {
  return (
    <Block title={title}>
      <p class="quote said">{shown(text)}</p>
    </Block>
  )
}

export function ExposureView(props: {
  readonly exposure: Exposure
  /** Opens the message that delivered the bait. */
  readonly onOpen: (seq: number) => void
}): JSX.Element | null {
  const { exposure, onOpen } = props
  const text = exposureText(exposure)
  if (text === undefined) return null
  const { delivered, planted, bait, read = [], bait_seq: seq } = exposure
  const deliveredPaths = new Set(delivered)
  const readByModel = new Set(read)
  const baits = new Set(bait)
  return (
    <Block title="Exposure">
      <p class="exposure">{shown(`The agent ${text}.`)}</p>
      {seq !== undefined && (
        <button type="button" class="open-message" onClick={() => onOpen(seq)}>
          Show the bait, message #{seq}
        </button>
      )}
      <details>
        <summary>Planted texts</summary>
        <ul class="plain-list planted">
          {planted.map((path) => (
            <li key={path}>
              <Icon name={deliveredPaths.has(path) ? 'matched' : 'not_matched'} />
              <span>
                <code class="path">{shown(path)}</code> {baits.has(path) && <b>bait, </b>}
                {readByModel.has(path) ? 'read by the model' : deliveredPaths.has(path) ? 'delivered' : 'not delivered'}
              </span>
            </li>
          ))}
        </ul>
      </details>
    </Block>
  )
}

export function RunAgain({ target, file }: { readonly target: TargetResults; readonly file: string }): JSX.Element {
  const command = runAgain(target, file)
  const status = useSignal('')
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(command)
      status.value = 'Copied'
    } catch {
      // A page opened from a file may be denied access to the clipboard. The text can be selected manually.
      status.value = 'Select the line to copy it'
    }
  }
  return (
    <Block title="Run again">
      <div class="command">
        <code>{shown(command)}</code>
        <button type="button" onClick={copy} aria-label="Copy the command">
          <Icon name="copy" /> Copy
        </button>
      </div>
      <p class="muted" role="status">
        {status.value}
      </p>
    </Block>
  )
}

/** Returns the command that runs an attack again. Options that results do not record, such as headers, are missing. */
export function runAgain(target: Pick<TargetResults, 'kind' | 'name' | 'details'>, file: string): string {
  return ['joust run', shellWord(file), ...targetWords(target)].join(' ')
}

function targetWords({ kind, name, details = {} }: Pick<TargetResults, 'kind' | 'name' | 'details'>): string[] {
  // A target in the project file is selected by name.
  if (Object.hasOwn(details, kind)) return ['--on', shellWord(name)]
  const { file = name, model } = details
  if (kind === 'agent')
    return ['--agent', shellWord(file), ...(model === undefined ? [] : ['--model', shellWord(model)])]
  if (kind === 'model') return ['--model', shellWord(name)]
  if (kind === 'command') return ['--exec', shellWord(name)]
  if (kind === 'acp') return ['--acp', shellWord(name)]
  if (kind === 'endpoint') return name.split(/ (?=(?:ag_ui|a2a|mcp)=)/).flatMap((one) => ['--target', shellWord(one)])
  return []
}

export function Hardening(props: {
  readonly hardening: TargetResults['hardening']
  readonly file: string
}): JSX.Element | null {
  const attack = props.hardening?.attacks.find(({ file }) => file === props.file)
  if (attack === undefined || attack.status === 'harmless') return null
  const { by, reason, task } = attack
  return (
    <Block title="Hardening">
      {by.length === 0 && <p>No restraint in an agent file stops this attack.</p>}
      {by.length > 0 && (
        <ul class="restraints">
          {by.map((restraint) => (
            <li key={restraint}>{shown(restraint)}</li>
          ))}
        </ul>
      )}
      {reason !== undefined && <p class="muted">{shown(reason)}</p>}
      {task?.after !== undefined && (
        <p class="muted">
          With it, the user's task is done in {task.after.done} of {task.after.of} runs.
        </p>
      )}
    </Block>
  )
}

export function Adaptive(props: {
  readonly target: TargetResults
  readonly attack: AttackResults
}): JSX.Element | null {
  const { target, attack } = props
  const parent = attack.attack.adapted?.parent ?? attack.fingerprint
  const family = target.attacks.filter(
    ({ fingerprint, attack: { adapted } }) => fingerprint === parent || adapted?.parent === parent,
  )
  const summary = adaptiveSummary({ attacks: family })?.attacks[0]
  if (summary === undefined) return null
  const { static_success, first, attempts, tokens } = summary
  const tries = countText(attempts, 'try', 'tries')
  return (
    <Block title="Adaptive attacker">
      <p>The attack {static_success ? 'succeeded' : 'did not succeed'} as written.</p>
      <p>
        {first === undefined
          ? `None of ${tries} with rewriting succeeded.`
          : `Rewriting succeeded on try ${first.attempt} of ${attempts}`}
        {first !== undefined && first.by.length > 0 && shown(` (${first.by.join(', ')})`)}
        {tokens > 0 && `; all tries used ${countText(tokens, 'token')}`}.
      </p>
    </Block>
  )
}

export function Task({
  task,
  ...rest
}: Omit<IndicatorsProps, 'verdicts' | 'of'> & { readonly task: ResultVerdict }): JSX.Element {
  const [state, sign, text] = TASK_RESULTS[task.result]
  return (
    <Block title="The user's task">
      <p class={`result task-result task-${state}`}>
        <Icon name={sign} />
        <span>{text}</span>
      </p>
      <Findings findings={task.diagnostics ?? []} />
      <Indicators {...rest} verdicts={task.indicator_verdicts} of="task" />
    </Block>
  )
}

const TASK_RESULTS: Readonly<Record<ResultVerdict['result'], readonly [state: string, sign: string, text: string]>> = {
  exploited: ['done', 'resisted', 'Done: the agent completed the task'],
  partial: ['partly', 'partial', 'Partly done: the agent completed some of the task'],
  not_exploited: ['open', 'not_matched', 'Not done: the agent did not complete the task'],
  error: ['unknown', 'inconclusive', 'Unknown: the task could not be judged'],
}
