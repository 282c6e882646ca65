/** Campaigns of the queue: their status, one of them as its matrix fills, and a run of it as it grows. */
import { countText, numberText, ResultBadge, shown, traceOf } from '@joust/report/components'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import {
  type CampaignInfo,
  type CampaignRun,
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
import { OutcomeTable, targetColumns } from './outcome-table.tsx'
import { linkTo, linkToRun } from './route.ts'
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
            <Standing info={info} />
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
            <Standing info={info} />
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
          <Matrix info={info} runs={runs.value ?? []} />
        </>
      )}
    </div>
  )
}

function Standing({ info }: { readonly info: CampaignInfo }): JSX.Element {
  const { state, runs, open, running, outcomes } = info
  const told = Object.entries(outcomes).filter(([, count]) => count > 0)
  return (
    <>
      <progress max={runs} value={runs - open} aria-label={`Runs of ${info.name} that are done`} />
      <span>
        {state}, {numberText(runs - open)} of {countText(runs, 'run')}
        {running > 0 && `, ${running} under way`}
      </span>
      {told.map(([outcome, count]) => (
        <ResultBadge key={outcome} result={outcome} word={`${count} ${outcome.replaceAll('_', ' ')}`} />
      ))}
    </>
  )
}

function Matrix({ info, runs }: { readonly info: CampaignInfo; readonly runs: readonly CampaignRun[] }): JSX.Element {
  const files = [...new Set(runs.map(({ file }) => file))].sort()
  const cells = cellsOf(runs)
  if (files.length === 0) return <p class="muted">The matrix fills as workers take runs.</p>
  return (
    <OutcomeTable
      label="Attacks by targets"
      columns={targetColumns(info.targets)}
      rows={files.map((file) => ({
        key: file,
        name: file,
        cells: info.targets.map((target) => (
          <Cell key={target} {...info} runs={cells.get(cellKey({ target, file })) ?? []} />
        )),
      }))}
    />
  )
}

/** A run under way can be watched; otherwise the worst of the trials is shown. */
function Cell(props: {
  readonly name: string
  readonly trials: number
  readonly runs: readonly CampaignRun[]
}): JSX.Element {
  const { name, trials, runs } = props
  const done = runs.filter(({ outcome }) => outcome !== undefined)
  const running = runs.find((run) => !done.some(({ trial }) => trial === run.trial))
  const worst = worstRun(done)
  if (running === undefined && worst === undefined) return <td class="muted">waits</td>
  return (
    <td>
      {running !== undefined && (
        <a class="cell running" tabIndex={-1} href={linkToCampaign(name, running)} title="Its messages as they come">
          running
        </a>
      )}{' '}
      {worst?.outcome !== undefined && (
        <a class="cell" tabIndex={-1} href={linkToRun(`${ofQueue}${name}`, worst)} title="The messages of this run">
          <ResultBadge result={worst.outcome} />
        </a>
      )}
      {trials > 1 && (
        <span class="muted">
          {' '}
          {done.length} of {trials}
        </span>
      )}
    </td>
  )
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
