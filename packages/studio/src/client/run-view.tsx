/** The Run view: the selection form, the live matrix, and the view of a single run. */

import { countText, shown } from '@joust/report/components'
import { useComputed, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { RunPlace, SetUp, SuiteState } from '../model/api.ts'
import { change } from './ask.ts'
import { AnnouncedText, Loading } from './boxes.tsx'
import { CampaignRunView, Campaigns, CampaignView } from './campaigns.tsx'
import { linkTo } from './route.ts'
import { RunChoice } from './run-choice.tsx'
import { countsOf, Progress, RunMatrix } from './run-matrix.tsx'
import { RunSequence } from './run-sequence.tsx'
import type { StudioState, ViewProps } from './studio-state.ts'

export function RunView(props: ViewProps): JSX.Element {
  const { state, route } = props
  const project = state.project.value
  const suiteState = useComputed(() => state.suite.value && (state.suite.value.end?.state ?? 'running'))
  const [target, file, trial, arm] = route.words
  // The project may have changed since the page was opened.
  useEffect(() => void state.refresh(), [])
  if (suiteState.value !== undefined && target !== undefined && file !== undefined)
    return <SuiteRun key={route.words.join('/')} state={state} place={placeOf(target, file, trial, arm)} />
  if (route.query !== '') return <CampaignPlace query={new URLSearchParams(route.query)} key={route.query} />
  if (project === undefined) return <Loading />
  return (
    <div class="run">
      {project.path !== undefined && <h1 class="visually-hidden">Run</h1>}
      {suiteState.value === undefined && <SetUpDone state={state} />}
      {project.path === undefined && project.problem === undefined ? (
        <SetUpView state={state} />
      ) : (
        <RunChoice state={state} project={project} isRunning={suiteState.value === 'running'} />
      )}
      {suiteState.value !== undefined ? <Suite state={state} /> : project.path !== undefined && <NotRunYet />}
      {project.queue !== undefined && <Campaigns queue={project.queue} />}
    </div>
  )
}

function placeOf(target: string, file: string, trial: string | null = null, arm: string | null = null): RunPlace {
  return { target, file, ...(arm === 'placebo' && { arm }), trial: Number(trial ?? 1) }
}

function CampaignPlace({ query }: { readonly query: URLSearchParams }): JSX.Element {
  const [name, target = '', file = ''] = ['campaign', 'target', 'file'].map((key) => query.get(key) ?? '')
  const place = placeOf(target, file, query.get('trial'), query.get('arm'))
  return query.has('file') ? <CampaignRunView name={name ?? ''} place={place} /> : <CampaignView name={name ?? ''} />
}

function SuiteRun({ state, place }: { readonly state: StudioState; readonly place: RunPlace }): JSX.Element {
  const { id, planned, end } = state.suite.value ?? {}
  const results = end === undefined || end.state === 'failed' ? undefined : end.results
  return (
    <RunSequence
      key={id}
      of={{ suite: String(id) }}
      place={place}
      name={planned?.attacks.find(({ file }) => file === place.file)?.name ?? place.file}
      back={{ text: 'All attacks', href: linkTo('run') }}
      idle="not run"
      results={results}
      linksFor={({ trace }) => {
        if (results === undefined) return []
        const { target, file, arm = '', trial } = place
        const report = linkTo('see', [results], { target, file, arm, trial: String(trial) })
        const judge = linkTo('judge', [], { results, trace, attack: file })
        return [
          { text: 'Report of this run', href: report },
          ...(trace ? [{ text: 'Judge this trace', href: judge }] : []),
        ]
      }}
    />
  )
}

function Suite({ state }: { readonly state: StudioState }): JSX.Element | null {
  const suite = state.suite.value
  if (suite === undefined) return null
  const { planned, runs, end } = suite
  return (
    <>
      <SuiteHead suite={suite} state={state} />
      {planned !== undefined && (
        <RunMatrix
          {...planned}
          runs={runs}
          linkTo={({ target, file, arm, trial }) => linkTo('run', [target, file, String(trial), ...(arm ? [arm] : [])])}
          otherwise={end === undefined ? 'pending' : 'not run'}
          onRepeat={end === undefined ? undefined : (file) => void state.start({ ...suite.request, attacks: [file] })}
        />
      )}
    </>
  )
}

function SuiteHead({ suite, state }: { readonly suite: SuiteState; readonly state: StudioState }): JSX.Element {
  const stopping = useSignal<number | undefined>(undefined)
  const { id, planned, end, runs, messages, calls, tokens, log } = suite
  const stop = () => {
    stopping.value = id
    void state.stop(id)
  }
  const doneOutcomes = runs.flatMap(({ arm, outcome }) => (arm === undefined && outcome ? [outcome] : []))
  const most = planned && planned.targets.length * planned.attacks.length * planned.trials
  const total = planned?.atMost && end !== undefined ? doneOutcomes.length : most
  return (
    <section class="suite" aria-label="Suite">
      <div class="suite-line">
        <h2>{titleOf(suite)}</h2>
        {total !== undefined && (
          <Progress
            of="the suite"
            runs={total}
            open={total - doneOutcomes.length}
            running={0}
            outcomes={countsOf(doneOutcomes)}
            announced
          />
        )}
        <span class="muted spent">
          {countText(messages, 'message')} · {countText(calls, 'model call')} · {countText(tokens, 'token')}
        </span>
        <span class="suite-buttons">
          {end === undefined ? (
            <button type="button" disabled={stopping.value === id} onClick={stop}>
              {stopping.value === id ? 'Stopping …' : 'Stop'}
            </button>
          ) : (
            <button type="button" onClick={() => state.start(suite.request)}>
              Run again
            </button>
          )}
          {end !== undefined && end.state !== 'failed' && (
            <a class="button" href={linkTo('see', [end.results])}>
              Results
            </a>
          )}
        </span>
      </div>
      {end?.state === 'failed' && <AnnouncedText text={end.message} />}
      {log.map((line) => (
        <p class="muted" key={line}>
          {shown(line)}
        </p>
      ))}
    </section>
  )
}

function NotRunYet(): JSX.Element {
  return (
    <section class="empty" aria-label="Before the first run">
      <p>
        Nothing has run since the studio was started. Choose attacks and targets and press <b>Start</b>: a matrix fills
        while they run, and each outcome links to the messages and the evidence of its run. Its report also contains the
        controls.
      </p>
      <p>
        Library attacks are listed after those in <code>joust.yaml</code>. Earlier runs are under{' '}
        <a href={linkTo('see')}>Results</a>; the attacks themselves are under <a href={linkTo('write')}>Write</a>.
      </p>
    </section>
  )
}

function titleOf({ end, planned }: SuiteState): string {
  if (end === undefined) return planned === undefined ? 'Preparing …' : 'Running'
  return { done: 'Done', stopped: 'Stopped', failed: 'Failed' }[end.state]
}

function SetUpView({ state }: { readonly state: StudioState }): JSX.Element {
  const setUp = async () => {
    const result = await change<SetUp>('/api/init', {})
    if (result.ok) state.setUp.value = result.value
    await state.refresh()
    if (!result.ok) state.fault.value = result.error.message
    document.getElementById('main')?.focus()
  }
  return (
    <section class="empty" aria-labelledby="set-up-title">
      <h1 id="set-up-title">Nothing to run here yet</h1>
      <p>
        A <code>joust.yaml</code> lists the attacks and the agents to run them on. <code>joust init</code> examines this
        folder and creates one, with a first attack and simulated agents. It never overwrites files, and it can be
        undone.
      </p>
      <p>
        <button type="button" class="primary" onClick={setUp}>
          Create joust.yaml and a first attack
        </button>
      </p>
    </section>
  )
}

function SetUpDone({ state }: { readonly state: StudioState }): JSX.Element | null {
  const setUp = state.setUp.value
  if (setUp === undefined) return null
  const undo = async () => {
    const answers = await Promise.all(setUp.wrote.map((path) => change('/api/undo', { path })))
    state.setUp.value = undefined
    await state.refresh()
    state.fault.value = answers.flatMap((one) => (one.ok ? [] : [one.error.message])).join('; ')
    document.getElementById('main')?.focus()
  }
  return (
    <section class="set-up" aria-label="Setup">
      <AnnouncedText label="Setup result" text={setUp.text} good />
      {setUp.wrote.length > 0 && (
        <button type="button" onClick={undo}>
          Undo: delete {setUp.wrote.length === 1 ? 'this file' : `these ${setUp.wrote.length} files`}
        </button>
      )}
    </section>
  )
}
