/** The Results view: all runs, trends, the report of one run, and the comparison of two runs. */
import { ResultBadge, shown, shownName } from '@joust/report/components'
import { useComputed } from '@preact/signals'
import type { JSX } from 'preact'
import type { ResultsSummary } from '../model/api.ts'
import { useAnswer } from './ask.ts'
import { Answered } from './boxes.tsx'
import { CompareView } from './compare-view.tsx'
import { linkTo } from './route.ts'
import { countsOf } from './run-matrix.tsx'
import { RunReport } from './run-report.tsx'
import type { ViewProps } from './studio-state.ts'
import { Trends } from './trends.tsx'

export function ResultsView(props: ViewProps): JSX.Element {
  const { route, state } = props
  const [name, ...words] = route.words
  // Reloads the list when a suite ends.
  const ended = useComputed(() => `${state.suite.value?.id} ${state.suite.value?.end?.state}`)
  const answer = useAnswer<readonly ResultsSummary[]>('/api/results', {}, ended.value)
  return (
    <Answered answer={answer}>
      {(list) => {
        if (name === 'compare') return <CompareView {...props} list={list} words={words} />
        return name === undefined ? <AllRuns list={list} /> : <RunReport {...props} name={name} words={words} />
      }}
    </Answered>
  )
}

function AllRuns({ list }: { readonly list: readonly ResultsSummary[] }): JSX.Element {
  if (list.length === 0)
    return (
      <section class="empty">
        <h1>No results yet</h1>
        <p>
          <a href={linkTo('run')}>Run</a> some attacks, here or with <code>joust run</code>. Their results are stored in{' '}
          <code>joust-results</code> and shown here.
        </p>
      </section>
    )
  return (
    <div class="see">
      <h1>
        Results over time <span class="muted">in UTC</span>
      </h1>
      {list.length > 1 && (
        <p>
          <a class="button" href={linkTo('see', ['compare', list[1]?.name ?? '', list[0]?.name ?? ''])}>
            Compare two runs
          </a>
        </p>
      )}
      <Trends list={list} />
      <h2>Runs</h2>
      <ul class="run-list">
        {list.map((run) => (
          <li key={run.name}>
            <a href={linkTo('see', [run.name])}>
              <b>{shown(run.started_at === '' ? run.name : run.started_at.slice(0, 19).replace('T', ' '))}</b>
            </a>
            {run.fault !== undefined && <span class="muted">{shown(run.fault)}</span>}
            {run.targets.map((target) => (
              <span key={target.name} class="run-target">
                {shownName(target.name)}
                {Object.entries(countsOf(target.attacks.map(({ outcome }) => outcome))).map(([outcome, count]) => (
                  <ResultBadge key={outcome} result={outcome} word={String(count)} />
                ))}
              </span>
            ))}
          </li>
        ))}
      </ul>
    </div>
  )
}
