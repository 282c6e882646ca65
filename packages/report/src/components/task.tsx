/** Whether the agent did what the user wanted. Having done it is not a danger, and must not look like one. */
import type { ResultIndicator, ResultVerdict } from '@joust/arena'
import type { JSX } from 'preact'
import { Icon } from './icons.tsx'
import { Indicators } from './indicators.tsx'
import { Block, Findings } from './run-facts.tsx'
import type { Trace } from './trace.ts'

const RESULTS: Readonly<Record<ResultVerdict['result'], readonly [state: string, sign: string, text: string]>> = {
  exploited: ['done', 'resisted', 'Done: the agent did what the user wanted'],
  partial: ['partly', 'partial', 'Done in part: the agent did not do all that the user wanted'],
  not_exploited: ['open', 'not_matched', 'Not done: the agent did not do what the user wanted'],
  error: ['unknown', 'inconclusive', 'Not known: nothing shows whether the agent did what the user wanted'],
}

export function Task(props: {
  readonly task: ResultVerdict
  readonly indicators: readonly ResultIndicator[]
  readonly trace: Trace
  readonly onOpen: (seq: number) => void
  readonly onLine?: ((line: number) => void) | undefined
}): JSX.Element {
  const { task, ...rest } = props
  const [state, sign, text] = RESULTS[task.result]
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
