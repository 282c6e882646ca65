/** Campaign views: the list of campaigns, a campaign with its live matrix, and a run. */
import { countText, shown, shownName } from '@joust/report/components'
import { defined } from '@joust/source'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { type CampaignInfo, type CampaignRun, ofQueue, type RunPlace } from '../model/api.ts'
import { ask, change, repeat, useWork } from './ask.ts'
import { Fault } from './boxes.tsx'
import { linkTo, linkToRun } from './route.ts'
import { Progress, RunMatrix } from './run-matrix.tsx'
import { RunSequence } from './run-sequence.tsx'

/** Milliseconds between polls of the campaign status. */
const EVERY_MS = 2000

function linkToCampaign(campaign: string, run?: RunPlace): string {
  const { target, file, arm, trial } = run ?? {}
  return linkTo('run', [], { campaign, ...defined({ target, file, arm, trial: trial?.toString() }) })
}

export function Campaigns({ queue }: { readonly queue: string }): JSX.Element {
  const { value: list, fault } = usePolled<readonly CampaignInfo[]>('/api/campaigns')
  return (
    <section class="campaigns" aria-labelledby="campaigns-title">
      <h2 id="campaigns-title">
        Campaigns <span class="muted">in {shown(queue)}</span>
      </h2>
      <Fault text={fault.value} />
      {list.value?.length === 0 && (
        <p class="muted">
          No campaigns yet. Choose “on workers” above, or submit one with <code>joust run --queue</code>; start workers
          with <code>joust worker --queue</code>.
        </p>
      )}
      <ul class="run-list">
        {list.value?.map((info) => (
          <li key={info.name}>
            <a href={linkToCampaign(info.name)}>
              <b>{shownName(info.name)}</b>
            </a>
            <span>{info.state}</span>
            <Progress of={info.name} {...info} />
          </li>
        ))}
      </ul>
    </section>
  )
}

export function CampaignView({ name }: { readonly name: string }): JSX.Element {
  const { value: list, fault } = usePolled<readonly CampaignInfo[]>('/api/campaigns')
  const { value: runs } = usePolled<readonly CampaignRun[]>('/api/campaign', { name })
  const info = list.value?.find((one) => one.name === name)
  const problem = useSignal('')
  const cancel = async () => {
    const answer = await change('/api/cancel', { name })
    problem.value = answer.ok ? '' : answer.error.message
  }
  return (
    <div class="run">
      <p class="crumbs">
        <a href={linkTo('run')}>Run</a>
      </p>
      <h1>Campaign {shownName(name)}</h1>
      <Fault text={problem.value || fault.value} />
      {list.value !== undefined && info === undefined && <p>Unknown campaign; it may have been deleted.</p>}
      {info !== undefined && (
        <>
          <div class="suite-line">
            <span>{info.state}</span>
            <Progress of={name} {...info} />
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
          {/* Depends on the runs, like the matrix, so that the matrix does not move when the first run starts. */}
          {info.state === 'open' && !runs.value?.some(({ outcome }) => outcome === undefined) && (
            <p class="muted">
              No worker is running: start one with <code>joust worker --queue …</code>.
            </p>
          )}
          <CampaignMatrix info={info} runs={runs.value ?? []} />
        </>
      )}
    </div>
  )
}

function CampaignMatrix(props: { readonly info: CampaignInfo; readonly runs: readonly CampaignRun[] }): JSX.Element {
  const { name, targets, trials, atMost } = props.info
  const files = [...new Set(props.runs.map(({ file }) => file))].sort()
  if (files.length === 0) return <p class="muted">No runs have started yet.</p>
  return (
    <RunMatrix
      {...{ targets, trials, atMost }}
      attacks={files.map((file) => ({ file, name: file }))}
      runs={props.runs}
      linkTo={(run) => (run.outcome === undefined ? linkToCampaign(name, run) : linkToRun(`${ofQueue}${name}`, run))}
      otherwise="pending"
    />
  )
}

export function CampaignRunView({ name, place }: { readonly name: string; readonly place: RunPlace }): JSX.Element {
  return (
    <RunSequence
      of={{ name }}
      place={place}
      name={place.file}
      back={{ text: `Campaign ${name}`, href: linkToCampaign(name) }}
      idle="waiting for a worker"
      linksFor={() => [{ text: 'Report of this run', href: linkToRun(`${ofQueue}${name}`, place) }]}
    />
  )
}

/** Polls an endpoint while the page is visible. Keeps the last response after an error. */
function usePolled<T>(path: string, query: Readonly<Record<string, string>> = {}) {
  const value = useSignal<T | undefined>(undefined)
  const fault = useSignal('')
  const poll = async () => {
    const answer = await ask<T>(path, query)
    if (answer.ok) value.value = answer.value
    fault.value = answer.ok ? '' : answer.error.message
    return true
  }
  useWork((signal) => repeat(poll, EVERY_MS, signal), [])
  return { value, fault }
}
