/** Campaigns of the queue: how they stand, and one of them as its matrix fills. */
import { ResultBadge, shown } from '@joust/report/components'
import { type Signal, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { type CampaignInfo, type CampaignRun, ofQueue } from '../model/api.ts'
import { ask, change } from './ask.ts'
import { counted, wholeNumber } from './numbers.ts'
import { linkToRun, writeRoute } from './route.ts'

/** How often the database is asked. */
const EVERY_MS = 2000

const linkTo = (name: string) =>
  writeRoute({ view: 'run', words: [], query: new URLSearchParams({ campaign: name }).toString() })

/** All of them, for as long as they are looked at. */
export function Campaigns({ queue }: { readonly queue: string }): JSX.Element {
  const { value: list, fault } = useAsked<readonly CampaignInfo[]>('/api/campaigns', {})
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
            <a href={linkTo(info.name)}>
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
  const { value: list, fault } = useAsked<readonly CampaignInfo[]>('/api/campaigns', {})
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
        <a href={writeRoute({ view: 'run', words: [], query: '' })}>Run</a>
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
              {counted(info.calls, 'model call')} · {counted(info.tokens, 'token')}
            </span>
            <span class="suite-buttons">
              {info.state === 'open' && (
                <button type="button" onClick={cancel}>
                  Cancel
                </button>
              )}
              {info.open < info.runs && (
                <a class="button" href={writeRoute({ view: 'see', words: [`${ofQueue}${name}`], query: '' })}>
                  Results
                </a>
              )}
            </span>
          </div>
          {info.stopped !== undefined && <p class="muted">{shown(info.stopped)}</p>}
          {info.state === 'open' && info.running === 0 && (
            <p class="muted">
              No worker has a run now: <code>joust worker --queue …</code> takes them.
            </p>
          )}
          <p class="muted">Workers record a run when it ends: its outcome then stands here, and opens its messages.</p>
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
        {state}, {wholeNumber(runs - open)} of {counted(runs, 'run')}
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
  if (files.length === 0) return <p class="muted">The matrix fills as results come.</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached with the keyboard
    <section class="live-frame" tabIndex={0} aria-label="Outcomes so far">
      <table class="live-matrix" aria-label="Attacks by targets">
        <thead>
          <tr>
            <th scope="col">Attack</th>
            {info.targets.map((target) => (
              <th scope="col" key={target}>
                <bdi>{shown(target)}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {files.map((file) => (
            <tr key={file}>
              <th scope="row">
                <bdi>{shown(file)}</bdi>
              </th>
              {info.targets.map((target) => (
                <Cell
                  key={target}
                  campaign={info.name}
                  done={runs.filter((run) => run.file === file && run.target === target)}
                  trials={info.trials}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const worst = ['exploited', 'partial', 'inconclusive', 'resisted', 'not_applicable']

function Cell(props: {
  readonly campaign: string
  readonly done: readonly CampaignRun[]
  readonly trials: number
}): JSX.Element {
  const { campaign, done, trials } = props
  const outcome = worst.find((one) => done.some((run) => run.outcome === one))
  const shownRun = done.find((run) => run.outcome === outcome)
  if (outcome === undefined || shownRun === undefined) return <td class="muted">waits</td>
  return (
    <td>
      <a href={linkToRun(`${ofQueue}${campaign}`, shownRun)} title="The messages of this run">
        <ResultBadge result={outcome} />
      </a>
      {trials > 1 && (
        <span class="muted">
          {' '}
          {done.length} of {trials}
        </span>
      )}
    </td>
  )
}

function Fault({ text }: { readonly text: string }): JSX.Element | null {
  return text === '' ? null : (
    <p class="problem" role="alert">
      {shown(text)}
    </p>
  )
}

interface Asked<T> {
  readonly value: Signal<T | undefined>
  readonly fault: Signal<string>
}

/** An answer that is asked for again and again while the page is seen. */
function useAsked<T>(path: string, query: Readonly<Record<string, string>>): Asked<T> {
  const value = useSignal<T | undefined>(undefined)
  const fault = useSignal('')
  useEffect(() => {
    let left = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = async () => {
      const asked = document.hidden ? undefined : await ask<T>(path, query)
      if (left) return
      if (asked?.ok === true) value.value = asked.value
      fault.value = asked?.ok === false ? asked.error.message : ''
      timer = setTimeout(look, EVERY_MS)
    }
    void look()
    return () => {
      left = true
      clearTimeout(timer)
    }
  }, [path, JSON.stringify(query)])
  return { value, fault }
}
