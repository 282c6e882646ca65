/** Campaigns of the queue: their status, one of them as its matrix fills, and a run of it as it grows. */
import { countText, shown, shownName } from '@joust/report/components'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { type CampaignInfo, type CampaignRun, ofQueue, type RunPlace } from '../model/api.ts'
import { ask, change, repeat, useWork } from './ask.ts'
import { Fault } from './boxes.tsx'
import { linkTo, linkToRun } from './route.ts'
import { RunMatrix, Standing } from './run-matrix.tsx'
import { RunSequence } from './run-sequence.tsx'

/** How often the database is asked for the status of campaigns. */
const EVERY_MS = 2000

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
              <b>{shownName(info.name)}</b>
            </a>
            <span>{info.state}</span>
            <Standing of={info.name} {...info} />
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
      <h1>Campaign {shownName(name)}</h1>
      <Fault text={problem.value || fault.value} />
      {list.value !== undefined && info === undefined && <p>There is no such campaign; it may have been deleted.</p>}
      {info !== undefined && (
        <>
          <div class="suite-line">
            <span>{info.state}</span>
            <Standing of={name} {...info} />
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
          {/* By the runs, as the matrix: it must not move when it shows the first one that is running. */}
          {info.state === 'open' && !runs.value?.some(({ outcome }) => outcome === undefined) && (
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

function CampaignMatrix(props: { readonly info: CampaignInfo; readonly runs: readonly CampaignRun[] }): JSX.Element {
  const { name, targets, trials } = props.info
  const files = [...new Set(props.runs.map(({ file }) => file))].sort()
  if (files.length === 0) return <p class="muted">The matrix fills as workers take runs.</p>
  return (
    <RunMatrix
      {...{ targets, trials }}
      attacks={files.map((file) => ({ file, name: file }))}
      runs={props.runs}
      linkTo={(run) => (run.outcome === undefined ? linkToCampaign(name, run) : linkToRun(`${ofQueue}${name}`, run))}
      otherwise="waits"
    />
  )
}

/** A run of a campaign. */
export function CampaignRunView({ name, place }: { readonly name: string; readonly place: RunPlace }): JSX.Element {
  return (
    <RunSequence
      of={{ name }}
      place={place}
      name={place.file}
      back={{ text: `Campaign ${name}`, href: linkToCampaign(name) }}
      idle="waits for a worker"
      linkFor={() => ({ text: 'Results', href: linkToRun(`${ofQueue}${name}`, place) })}
    />
  )
}

/** An answer that is asked for repeatedly while the page is visible; the last one stays beside a fault. */
function useAsked<T>(path: string, query: Readonly<Record<string, string>> = {}) {
  const value = useSignal<T | undefined>(undefined)
  const fault = useSignal('')
  const look = async () => {
    const asked = await ask<T>(path, query)
    if (asked.ok) value.value = asked.value
    fault.value = asked.ok ? '' : asked.error.message
    return true
  }
  useWork((left) => repeat(look, EVERY_MS, left), [])
  return { value, fault }
}
