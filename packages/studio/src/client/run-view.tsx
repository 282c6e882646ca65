/** Run: what to run against whom, the matrix as it fills, and a run that is watched. */

import { worstOf } from '@joust/arena'
import { countText, shown } from '@joust/report/components'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { CellPlace, PlannedSuite, SetUp } from '../model/api.ts'
import { change } from './ask.ts'
import { AnnouncedText } from './boxes.tsx'
import { CampaignRunView, Campaigns, CampaignView } from './campaigns.tsx'
import { cellOf, type LiveSuite, runOf } from './live-suite.ts'
import { linkTo } from './route.ts'
import { RunChoice } from './run-choice.tsx'
import { type MatrixCell, RunMatrix, Standing } from './run-matrix.tsx'
import { LiveSequence } from './run-sequence.tsx'
import type { StudioState, ViewProps } from './studio-state.ts'

export function RunView(props: ViewProps): JSX.Element {
  const { state, route } = props
  const project = state.project.value
  const suite = state.suites.value.at(-1)
  const [target, file, trial] = route.words
  // What can be run may have changed since the page was opened.
  useEffect(() => void state.refresh(), [])
  if (suite !== undefined && target !== undefined && file !== undefined) {
    const place = { target, file, trial: Number(trial ?? 1) }
    return <LiveSequence suite={suite} place={place} />
  }
  if (route.query !== '') return <CampaignPlace query={new URLSearchParams(route.query)} key={route.query} />
  if (project === undefined) return <p class="empty muted">Loading …</p>
  return (
    <div class="run">
      {project.path !== undefined && <h1 class="visually-hidden">Run</h1>}
      {suite === undefined && <SetUpDone state={state} />}
      {project.path === undefined && project.problem === undefined ? (
        <SetUpView state={state} />
      ) : (
        <RunChoice state={state} project={project} running={suite?.end.value === undefined ? suite : undefined} />
      )}
      {suite !== undefined && <SuiteHead suite={suite} state={state} />}
      {suite?.planned.value !== undefined && <SuiteMatrix suite={suite} planned={suite.planned.value} />}
      {project.queue !== undefined && <Campaigns queue={project.queue} />}
    </div>
  )
}

/** A campaign, or a run of it. */
function CampaignPlace({ query }: { readonly query: URLSearchParams }): JSX.Element {
  const [name, target, file] = ['campaign', 'target', 'file'].map((key) => query.get(key) ?? '')
  const place = { target: target ?? '', file: file ?? '', trial: Number(query.get('trial') ?? 1) }
  return query.has('file') ? <CampaignRunView name={name ?? ''} place={place} /> : <CampaignView name={name ?? ''} />
}

/** How far a suite is, what it has spent, and how to stop or repeat it. */
function SuiteHead({ suite, state }: { readonly suite: LiveSuite; readonly state: StudioState }): JSX.Element {
  const { done, outcomes, calls, tokens, messages } = suite.counts.value
  const stopping = useSignal<number | undefined>(undefined)
  const stop = () => {
    stopping.value = suite.id
    void state.stop(suite.id)
  }
  const planned = suite.planned.value
  const end = suite.end.value
  const total = planned && planned.targets.length * planned.attacks.length * planned.trials
  return (
    <section class="suite" aria-label="Suite">
      <div class="suite-line">
        <h2>{titleOf(suite)}</h2>
        {total !== undefined && <Standing of="the suite" {...{ done, total, outcomes }} announced />}
        <span class="muted spent">
          {countText(messages, 'message')} · {countText(calls, 'model call')} · {countText(tokens, 'token')}
        </span>
        <span class="suite-buttons">
          {end === undefined ? (
            <button type="button" disabled={stopping.value === suite.id} onClick={stop}>
              {stopping.value === suite.id ? 'Stopping …' : 'Stop'}
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
      {suite.log.value.map((line) => (
        <p class="muted" key={line}>
          {shown(line)}
        </p>
      ))}
    </section>
  )
}

function titleOf({ end, planned }: LiveSuite): string {
  if (end.value === undefined) return planned.value === undefined ? 'Preparing …' : 'Running'
  return { done: 'Done', stopped: 'Stopped', failed: 'It could not be run' }[end.value.state]
}

function SuiteMatrix(props: { readonly suite: LiveSuite; readonly planned: PlannedSuite }): JSX.Element {
  const { suite, planned } = props
  const cellAt = (place: CellPlace): MatrixCell => {
    const { running, trials } = cellOf(suite, place).value
    const link = (trial: number) => linkTo('run', [place.target, place.file, String(trial)])
    const [trial] = running
    const worst = worstOf(trials)
    return {
      running:
        trial === undefined
          ? undefined
          : { link: link(trial), text: <Growing run={runOf(suite, { ...place, trial })} /> },
      worst: worst && { link: link(worst.trial), outcome: worst.outcome },
      done: trials.length,
      otherwise: suite.end.value === undefined ? 'waits' : 'not run',
    }
  }
  const attacks = planned.attacks.map(({ file, attack: { name } }) => ({ file, name }))
  return <RunMatrix {...planned} {...{ attacks, cellAt }} />
}

/** By itself, since it changes with every message. */
function Growing({ run }: { readonly run: ReturnType<typeof runOf> }): JSX.Element {
  return <>running, {countText(run.trace.value.messages.length, 'message')}</>
}

function SetUpView({ state }: { readonly state: StudioState }): JSX.Element {
  const setUp = async () => {
    const done = await change<SetUp>('/api/init', {})
    if (done.ok) state.setUp.value = done.value
    await state.refresh()
    if (!done.ok) state.fault.value = done.error.message
    document.getElementById('main')?.focus()
  }
  return (
    <section class="empty" aria-labelledby="set-up-title">
      <h1 id="set-up-title">Nothing to run here yet</h1>
      <p>
        A <code>joust.yaml</code> says which attacks are run on which agents. <code>joust init</code> looks at this
        folder and writes one, with a first attack and simulated agents to try it on. It never writes over anything, and
        it can be undone.
      </p>
      <p>
        <button type="button" class="primary" onClick={setUp}>
          Write joust.yaml and a first attack
        </button>
      </p>
    </section>
  )
}

/** What setting up wrote, and a button that deletes it. */
function SetUpDone({ state }: { readonly state: StudioState }): JSX.Element | null {
  const done = state.setUp.value
  if (done === undefined) return null
  const undo = async () => {
    const asked = await Promise.all(done.wrote.map((path) => change('/api/undo', { path })))
    state.setUp.value = undefined
    await state.refresh()
    state.fault.value = asked.flatMap((one) => (one.ok ? [] : [one.error.message])).join('; ')
    document.getElementById('main')?.focus()
  }
  return (
    <section class="set-up" aria-label="What was set up">
      <AnnouncedText label="What was done" text={done.text} good />
      {done.wrote.length > 0 && (
        <button type="button" onClick={undo}>
          Undo: delete {done.wrote.length === 1 ? 'this file' : `these ${done.wrote.length} files`}
        </button>
      )}
    </section>
  )
}
