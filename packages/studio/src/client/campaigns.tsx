/** Campaigns of the queue: their status, one of them as its matrix fills, and a run of it as it grows. */
import { countText, shown, traceOf } from '@joust/report/components'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import {
  type CampaignInfo,
  type CampaignRun,
  type CellPlace,
  cellKey,
  cellsOf,
  ofQueue,
  type RunPlace,
  type WatchedRun,
  worstRun,
} from '../model/api.ts'
import { ask, change, pause, useWork } from './ask.ts'
import { Fault } from './boxes.tsx'
import { joinTraces } from './live-suite.ts'
import { linkTo, linkToRun } from './route.ts'
import { type MatrixCell, RunMatrix, Standing } from './run-matrix.tsx'
import { RunSequence } from './run-sequence.tsx'

/** How often the database is asked for the status of campaigns. */
const EVERY_MS = 2000

/** How often a run is asked for; its worker checks as often whether somebody asks. */
const RUN_EVERY_MS = 1000

/** A campaign, or a run of it that is watched. */
function linkToCampaign(campaign: string, run?: RunPlace): string {
  return linkTo('run', [], { campaign, ...(run && { target: run.target, file: run.file, trial: String(run.trial) }) })
}

/** All of them, for as long as the page is open. */
export function Campaigns({ queue }: { readonly queue: string }): JSX.Element {
  const { value: list, fault } = useAsked<readonly CampaignInfo[]>('/api/campaigns')
  return (
    <section class="campaigns" aria-labelledby="campaigns-title">
      <h2 id="campaigns-title">
        Campaigns <span class="muted">of {shown(queue)}</span>
      </h2>
      <Fault text={fault.value} />
      {list.value?.length === 0 && (
        <p class="muted">
          None yet. Choose “on workers” above, or submit one with <code>joust run --queue</code>;{' '}
          <code>joust worker --queue</code> takes the runs.
        </p>
      )}
      <ul class="run-list">
        {list.value?.map((info) => (
          <li key={info.name}>
            <a href={linkToCampaign(info.name)}>
              <b>
                <bdi>{shown(info.name)}</bdi>
              </b>
            </a>
            <CampaignStanding info={info} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** One of them. */
export function CampaignView({ name }: { readonly name: string }): JSX.Element {
  const { value: list, fault } = useAsked<readonly CampaignInfo[]>('/api/campaigns')
  const { value: runs } = useAsked<readonly CampaignRun[]>('/api/campaign', { name })
  const info = list.value?.find((one) => one.name === name)
  const problem = useSignal('')
  const cancel = async () => {
    const asked = await change('/api/cancel', { name })
    problem.value = asked.ok ? '' : asked.error.message
  }
  return (
    <div class="run">
      <p class="crumbs">
        <a href={linkTo('run')}>Run</a>
      </p>
      <h1>
        Campaign <bdi>{shown(name)}</bdi>
      </h1>
      <Fault text={problem.value || fault.value} />
      {list.value !== undefined && info === undefined && <p>There is no such campaign; it may have been deleted.</p>}
      {info !== undefined && (
        <>
          <div class="suite-line">
            <CampaignStanding info={info} />
            <span class="muted spent">
              {countText(info.calls, 'model call')} · {countText(info.tokens, 'token')}
            </span>
            <span class="suite-buttons">
              {info.state === 'open' && (
                <button type="button" onClick={cancel}>
                  Cancel
                </button>
              )}
              {info.open < info.runs && (
                <a class="button" href={linkTo('see', [`${ofQueue}${name}`])}>
                  Results
                </a>
              )}
            </span>
          </div>
          {info.stopped !== undefined && <p class="muted">{shown(info.stopped)}</p>}
          {info.state === 'open' && info.running === 0 && (
            <p class="muted">
              No worker is running anything: <code>joust worker --queue …</code> takes the runs.
            </p>
          )}
          <CampaignMatrix info={info} runs={runs.value ?? []} />
        </>
      )}
    </div>
  )
}

function CampaignStanding({ info }: { readonly info: CampaignInfo }): JSX.Element {
  const { name, state, runs, open, running, outcomes } = info
  return (
    <>
      <span>{state}</span>
      <Standing of={name} done={runs - open} total={runs} {...{ running, outcomes }} />
    </>
  )
}

function CampaignMatrix(props: { readonly info: CampaignInfo; readonly runs: readonly CampaignRun[] }): JSX.Element {
  const { name, targets, trials } = props.info
  const files = [...new Set(props.runs.map(({ file }) => file))].sort()
  const cells = cellsOf(props.runs)
  const cellAt = (place: CellPlace): MatrixCell => {
    const runs = cells.get(cellKey(place)) ?? []
    const done = runs.filter(({ outcome }) => outcome !== undefined)
    const running = runs.find((run) => !done.some(({ trial }) => trial === run.trial))
    const worst = worstRun(done)
    return {
      running: running && { link: linkToCampaign(name, running), text: 'running' },
      worst: worst?.outcome && { link: linkToRun(`${ofQueue}${name}`, worst), outcome: worst.outcome },
      done: done.length,
      otherwise: 'waits',
    }
  }
  if (files.length === 0) return <p class="muted">The matrix fills as workers take runs.</p>
  return <RunMatrix {...{ targets, trials, cellAt }} attacks={files.map((file) => ({ file, name: file }))} />
}

/** A run of a campaign: asked for while it is open here, which is what makes its worker show it. */
export function CampaignRunView({ name, place }: { readonly name: string; readonly place: RunPlace }): JSX.Element {
  const trace = useSignal(traceOf([]))
  const seen = useSignal<Omit<WatchedRun, 'entries'> | undefined>(undefined)
  const fault = useSignal('')
  useRepeated(async () => {
    const { attempt = '', part = 0 } = seen.value ?? {}
    const { target, file, trial } = place
    const query = { name, target, file, trial: String(trial), attempt, part: String(part) }
    const asked = await ask<WatchedRun>('/api/watch', query)
    fault.value = asked.ok ? '' : asked.error.message
    if (!asked.ok) return true
    const { entries, ...now } = asked.value
    trace.value = joinTraces(now.attempt === attempt ? trace.value : traceOf([]), traceOf(entries))
    seen.value = now
    return now.trial === undefined
  }, RUN_EVERY_MS)
  const now = seen.value
  const state = now === undefined ? 'looking …' : now.isRunning ? 'running' : 'waits for a worker'
  return (
    <RunSequence
      place={place}
      name={place.file}
      back={{ text: `Campaign ${name}`, href: linkToCampaign(name) }}
      trace={trace.value}
      result={now?.trial}
      state={fault.value || state}
      link={now?.trial && { text: 'Results', href: linkToRun(`${ofQueue}${name}`, place) }}
    />
  )
}

/** An answer that is asked for repeatedly while the page is visible; the last one stays beside a fault. */
function useAsked<T>(path: string, query: Readonly<Record<string, string>> = {}) {
  const value = useSignal<T | undefined>(undefined)
  const fault = useSignal('')
  useRepeated(async () => {
    const asked = await ask<T>(path, query)
    if (asked.ok) value.value = asked.value
    fault.value = asked.ok ? '' : asked.error.message
    return true
  }, EVERY_MS)
  return { value, fault }
}

/** Looks at once, then repeatedly while the page is visible, until it is left or there is nothing more to see. */
function useRepeated(look: () => Promise<boolean>, everyMs: number): void {
  useWork(async (left) => {
    while (!left.aborted) {
      if (!document.hidden && !(await look())) return
      await pause(everyMs)
    }
  }, [])
}
