/** Counts and rates: bars with 95 % intervals, and a square for each trial. */
import { type AttackResults, type AttackStatistics, type Proportion, proportionOf, utilityOf } from '@joust/results'
import type { JSX } from 'preact'
import { Icon, ResultBadge } from './icons.tsx'
import { countText, percentText, wordFor } from './words.ts'

/** Maximum number of squares. For further trials, only the number is shown. */
const SQUARES = 40

interface Figure {
  /** An outcome, or `utility`. */
  readonly name: string
  readonly proportion: Proportion
  readonly noun: string
  /** False for counts, and for the rate of a single attack. */
  readonly hasInterval: boolean
}

/** Computes the figures of a suite by outcome. Rates of judged outcomes exclude inconclusive attacks. */
export function figuresOf(attacks: readonly AttackResults[]): Figure[] {
  const count = (outcome: string) => attacks.filter((attack) => attack.outcome === outcome).length
  const judged = count('resisted') + count('exploited') + count('partial')
  const figure = (name: string, of: number, noun: string) => {
    const proportion = proportionOf(count(name), of)
    const hasInterval = of > 1 && name !== 'inconclusive' && name !== 'not_applicable'
    return proportion === undefined ? [] : [{ name, proportion, noun, hasInterval }]
  }
  const utility = utilityOf(attacks.flatMap(({ trials }) => trials))
  return [
    ...figure('exploited', judged, 'judged attacks'),
    ...(count('partial') > 0 ? figure('partial', judged, 'judged attacks') : []),
    ...figure('resisted', judged, 'judged attacks'),
    ...figure('inconclusive', attacks.length, 'attacks'),
    ...figure('not_applicable', attacks.length, 'attacks'),
    ...(utility ? [{ name: 'utility', proportion: utility, noun: 'runs', hasInterval: utility.of > 1 }] : []),
  ]
}

export function FigureBar(props: { readonly figure: Figure; readonly href?: string | undefined }): JSX.Element {
  const { figure, href } = props
  const { name, noun, proportion, hasInterval } = figure
  const { hits, of } = proportion
  const inner = (
    <>
      <span class="figure-name">
        <Icon name={name === 'utility' ? 'resisted' : name} />
        {name === 'utility' ? 'Task done' : wordFor(name)}
      </span>
      <RateBar proportion={proportion} hasInterval={hasInterval} />
      <span class="figure-count">
        <b>{hits}</b> of {of} <span class="visually-hidden">{hasInterval ? `${noun}, ` : noun}</span>
        {hasInterval && <span class="muted">{intervalText(proportion)}</span>}
      </span>
    </>
  )
  const of95 = `${hits} of ${of} ${noun}${hasInterval ? `; 95 % interval ${intervalText(proportion)}` : ''}`
  return (
    <li class={`figure figure-${name}`} title={of95}>
      {href === undefined || hits === 0 ? (
        <span class="figure-row">{inner}</span>
      ) : (
        <a class="figure-row" href={href}>
          {inner}
        </a>
      )}
    </li>
  )
}

function intervalText({ low, high }: Proportion): string {
  return `${Math.round(low * 100)}–${percentText(high)}`
}

function RateBar(props: { readonly proportion: Proportion; readonly hasInterval: boolean }): JSX.Element {
  const { rate, low, high } = props.proportion
  // Inset by half the line width, so that the ends are not clipped.
  const [from, to] = [low, high].map((end) => Math.min(199.5, Math.max(0.5, end * 200)))
  return (
    <svg class="interval" viewBox="0 0 200 14" preserveAspectRatio="none" aria-hidden="true">
      <rect class="interval-all" x={0} y={2} width={200} height={10} />
      <rect class="interval-rate" x={0} y={2} width={rate * 200} height={10} />
      {props.hasInterval && <path class="interval-range" d={`M${from} 3V11M${from} 7H${to}M${to} 3V11`} />}
    </svg>
  )
}

/** A square per trial, whose shape and color show the outcome. */
export function TrialStrip({ trials }: Pick<AttackResults, 'trials'>): JSX.Element | null {
  if (trials.length < 2) return null
  return (
    <span class="strip" aria-hidden="true">
      {trials.slice(0, SQUARES).map(({ outcome, trial }) => (
        <i key={trial} class={`square square-${outcome}`} title={`trial ${trial}: ${wordFor(outcome)}`} />
      ))}
      {trials.length > SQUARES && `+${trials.length - SQUARES}`}
    </span>
  )
}

/** Formats the success rate of an attack, such as `2/3 · flaky`. */
export function successText({ counts, judged, flaky }: AttackStatistics): string {
  if (counts.total < 2 || judged === 0) return ''
  return `${counts.exploited}/${judged}${flaky ? ' · flaky' : ''}`
}

export function TrialFigures({ statistics }: { readonly statistics: AttackStatistics }): JSX.Element {
  const { counts, success, sequential, passHat, flaky, utility } = statistics
  const k = passHat.length
  return (
    <div class="statistics">
      {success === undefined ? (
        <p>No trial was judged.</p>
      ) : (
        <Rate proportion={success} words="of the trials succeeded" sequential={sequential} />
      )}
      {(['partial', 'inconclusive', 'not_applicable'] as const)
        .filter((outcome) => counts[outcome] > 0)
        .map((outcome) => (
          <p key={outcome}>
            <ResultBadge result={outcome} word={`${countText(counts[outcome], 'trial')} ${OTHER_TRIALS[outcome]}`} />
          </p>
        ))}
      {flaky && (
        <p>
          <ResultBadge result="partial" word="Flaky: the trials disagree" />
        </p>
      )}
      {k > 1 && (
        <p class="muted">
          Probability that {k} runs in a row all resist: {percentText(passHat[k - 1] ?? 0)}
        </p>
      )}
      {utility !== undefined && (
        <div class="utility">
          <Rate proportion={utility} words="completed the user's task" />
        </div>
      )}
    </div>
  )
}

const OTHER_TRIALS = {
  partial: 'partial',
  inconclusive: 'inconclusive, not counted',
  not_applicable: 'not applicable, not counted',
}

function Rate(props: {
  readonly proportion: Proportion
  readonly words: string
  /** True if the interval of the figure is always-valid. */
  readonly sequential?: boolean
}): JSX.Element {
  const { proportion, words, sequential = false } = props
  const { hits, of, rate } = proportion
  return (
    <div class="proportion">
      <p class="rate">
        <b>{percentText(rate)}</b> {words}: {hits} of {of}
      </p>
      <RateBar proportion={proportion} hasInterval />
      <p class="muted">
        95 % interval{sequential && ', valid at any stopping time'}: {intervalText(proportion)}
      </p>
    </div>
  )
}
