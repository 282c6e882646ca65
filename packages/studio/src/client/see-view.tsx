/** Results: every run of the folder, how attacks fared over time, one run as in its report, and two side by side. */
import type { Results } from '@joust/arena'
import { ResultBadge, shown } from '@joust/report/components'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { ResultsSummary } from '../model/api.ts'
import { ask, useAnswer } from './ask.ts'
import { CompareView } from './compare-view.tsx'
import { ResultsView } from './results-view.tsx'
import { writeRoute } from './route.ts'
import type { ViewProps } from './studio-state.ts'
import { Trends } from './trends.tsx'

export function SeeView(props: ViewProps): JSX.Element {
  const { route, state } = props
  const [name, ...rest] = route.words
  const list = useSignal<readonly ResultsSummary[] | undefined>(undefined)
  const fault = useSignal('')
  // Whenever a suite ends, there is one more.
  const ended = state.suites.value.filter(({ end }) => end.value !== undefined).length
  useEffect(() => {
    void ask<ResultsSummary[]>('/api/results').then((asked) => {
      if (asked.ok) list.value = asked.value
      else fault.value = asked.error.message
    })
  }, [ended])
  if (fault.value !== '') return <p class="empty">{shown(fault.value)}</p>
  if (list.value === undefined) return <p class="empty muted">Reading …</p>
  if (name === 'compare') return <CompareView {...props} list={list.value} words={rest} />
  if (name !== undefined) return <OneRun {...props} name={name} words={rest} />
  return <AllRuns list={list.value} />
}

function OneRun(props: ViewProps & { readonly name: string; readonly words: readonly string[] }): JSX.Element {
  const { name } = props
  const results = useAnswer<Results>('/api/results', { name })
  if (results === undefined) return <p class="empty muted">Reading …</p>
  if (!results.ok) return <p class="empty">{shown(results.error.message)}</p>
  return <ResultsView {...props} results={results.value} />
}

function AllRuns({ list }: { readonly list: readonly ResultsSummary[] }): JSX.Element {
  if (list.length === 0)
    return (
      <section class="empty">
        <h1>No results yet</h1>
        <p>
          <a href={writeRoute({ view: 'run', words: [], query: '' })}>Run</a> some attacks, here or with{' '}
          <code>joust run</code>: what comes of them is kept in <code>joust-results</code> and shown here over time.
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
          <a
            class="button"
            href={writeRoute({ view: 'see', words: ['compare', list[1]?.name ?? '', list[0]?.name ?? ''], query: '' })}
          >
            Compare two runs
          </a>
        </p>
      )}
      <Trends list={list} />
      <h2>Runs</h2>
      <ul class="run-list">
        {list.map((run) => (
          <li key={run.name}>
            <a href={writeRoute({ view: 'see', words: [run.name], query: '' })}>
              <b>{shown(run.started_at === '' ? run.name : run.started_at.slice(0, 19).replace('T', ' '))}</b>
            </a>
            {run.fault !== undefined && <span class="muted">{shown(run.fault)}</span>}
            {run.targets.map((target) => (
              <span key={target.name} class="run-target">
                <bdi>{shown(target.name)}</bdi>
                {countsOf(target.attacks).map(([outcome, count]) => (
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

function countsOf(attacks: readonly { readonly outcome: string }[]): [string, number][] {
  const counts = new Map<string, number>()
  for (const { outcome } of attacks) counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
  return [...counts]
}
