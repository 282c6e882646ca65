/** A run with the bait next to a run without the bait. */
import { type AttackResults, outcomeVerdicts, runsOf, type Trial } from '@joust/results'
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { ResultBadge } from './icons.tsx'
import { Sequence } from './sequence.tsx'
import { evidenceOf, type Trace } from './trace.ts'

/**
 * Returns the index of the run to compare with: for a trial, a run without the bait, and vice versa, if possible with
 * the same number. Undefined for an attack that was not run without the bait.
 */
export function counterpartOf(attack: AttackResults, trial: number): number | undefined {
  const { trials, placebo_trials: placebo = [] } = attack
  const number = runsOf(attack)[trial]?.trial
  const isPlacebo = trial >= trials.length
  const others = isPlacebo ? trials : placebo
  if (others.length === 0 || trial >= trials.length + placebo.length) return undefined
  const same = others.findIndex((one) => one.trial === number)
  return (isPlacebo ? 0 : trials.length) + Math.max(0, same)
}

interface Side {
  readonly run: Trial
  readonly trace: Trace
  readonly onOpen: (seq: number) => void
}

/** Shows both sequences. The sequence with the bait comes first. */
export function Pair(props: { readonly sides: readonly [Side, Side]; readonly agent: string }): JSX.Element {
  const [attack, placebo] = props.sides
  return (
    <div class="pair">
      <PairSide title="With the bait" agent={props.agent} {...attack} />
      <PairSide title="Without the bait" agent={props.agent} {...placebo} />
    </div>
  )
}

function PairSide(props: Side & { readonly title: string; readonly agent: string }): JSX.Element {
  const { title, agent, run, trace, onOpen } = props
  const evidence = useMemo(() => evidenceOf(outcomeVerdicts(run)), [run])
  return (
    <section aria-label={title}>
      <h2>
        {title} <ResultBadge result={run.outcome} />
      </h2>
      <Sequence
        label={`${title}: sequence`}
        {...{ trace, agent, evidence, onOpen }}
        actors={run.actors}
        bait={run.exposure.bait_seq}
        flows={run.flows}
        selected={undefined}
      />
    </section>
  )
}
