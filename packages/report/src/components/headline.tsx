/** Headlines of targets: the outcomes of their attacks as bars, and the results of an adaptive attacker. */
import { adaptiveSummary, isJudged, stoppersOf, usageOf, usageText } from '@joust/results'
import { splitBlock } from '@joust/source'
import type { JSX } from 'preact'
import { ScrolledText } from './boxes.tsx'
import type { ReportRun } from './data.ts'
import { FigureBar, figuresOf } from './figures.tsx'
import { Note } from './icons.tsx'
import { plainText, shown, shownName } from './text.tsx'
import { countText, durationText, numberText, timeText, wordFor } from './words.ts'

/** The headline of a target. `linkTo` returns the URL of a list of the attacks with the given outcome. */
export function Headline(props: {
  readonly run: ReportRun
  /** Unique name of the target. */
  readonly name: string
  readonly linkTo?: ((outcome: string) => string) | undefined
}): JSX.Element {
  const { run, name, linkTo } = props
  const { attacks } = run.target
  const { stopped } = run.results
  const [head, block] = splitBlock(stopped?.message ?? '')
  const adaptive = adaptiveSummary(run.target)
  const stoppers = stoppersOf(attacks)
  const figures = figuresOf(attacks)
  const hasIntervals = figures.some(({ hasInterval }) => hasInterval)
  return (
    <section class="run-head" aria-label={plainText(name)}>
      <h2>{shownName(name)}</h2>
      <p class="lead">{leadText(run)}</p>
      <ul class="figures" aria-label={hasIntervals ? 'Outcomes with 95 % intervals' : 'Outcomes'}>
        {figures.map((figure) => (
          <FigureBar
            key={figure.name}
            figure={figure}
            href={figure.name === 'utility' ? undefined : linkTo?.(figure.name)}
          />
        ))}
      </ul>
      {hasIntervals && (
        <p class="figures-key muted" aria-hidden="true">
          The line on a bar is its 95 % interval.
        </p>
      )}
      {stoppers.length > 0 && (
        <p class="stoppers">
          Resisted attacks, stopped by: {stoppers.map(([stopper, count]) => `${stopper} ${count}`).join(', ')}.
        </p>
      )}
      {adaptive !== undefined && (
        <p class="adaptive">
          Adaptive attacker: {adaptive.static_successes} of {countText(adaptive.attacks.length, 'attack')} succeeded as
          written, {adaptive.successes} with rewriting ({countText(adaptive.attempts, 'try', 'tries')},{' '}
          {countText(adaptive.tokens, 'token')}).
        </p>
      )}
      {stopped !== undefined && <Note error>{`Incomplete (${stopped.reason}): ${plainText(head)}`}</Note>}
      {block !== '' && <ScrolledText class="json" text={block} />}
      <details class="about">
        <summary>About this run</summary>
        <Facts pairs={factsOf(run)} />
      </details>
    </section>
  )
}

/** A list of name-value pairs. Omits pairs without a value. */
export function Facts({ pairs }: { readonly pairs: readonly (readonly [string, string | undefined])[] }): JSX.Element {
  return (
    <dl class="facts">
      {pairs.map(
        ([name, text]) =>
          text !== undefined &&
          text !== '' && (
            <div key={name}>
              <dt>{shown(name)}</dt>
              <dd>{shown(text)}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

function leadText({ target: { attacks } }: ReportRun): string {
  const successes = attacks.filter(({ outcome }) => outcome === 'exploited').length
  const judged = attacks.filter(isJudged).length
  if (judged === 0) return `No verdict: none of ${countText(attacks.length, 'attack')} was judged`
  return successes === 0
    ? `None of ${countText(judged, 'judged attack')} succeeded`
    : `${numberText(successes)} of ${countText(judged, 'judged attack')} succeeded`
}

function factsOf({ target, results }: ReportRun): [string, string | undefined][] {
  const { started_at, finished_at, suite, joust } = results
  const duration = Date.parse(finished_at) - Date.parse(started_at)
  const { judge, preflight, price } = target
  const usage = usageOf(target)
  return [
    ['kind', wordFor(target.kind)],
    ...Object.entries(target.details ?? {}),
    ['judge', judge === undefined ? undefined : [judge.engine, judge.model, judge.version].filter(Boolean).join(' ')],
    ['started', timeText(started_at)],
    ['duration', Number.isFinite(duration) ? durationText(duration) : undefined],
    ['trials', suite.trials > 1 ? String(suite.trials) : undefined],
    ['model', usage && usageText(usage, price)],
    ['preflight', preflight?.usage && usageText(preflight.usage, price)],
    ['joust', joust],
  ]
}
