/** What the page knows: signals, filled by questions and by this tab's one stream of events. */
import { batch, type Signal, signal } from '@preact/signals'
import type { ProjectInfo, RunRequest, SetUp, StudioEvent, SuiteState } from '../model/api.ts'
import { ask, change } from './ask.ts'
import { type AskLanguage, startLanguage } from './language-client.ts'
import { createLiveSuite, hear, type LiveSuite } from './live-suite.ts'
import type { OpenFile } from './open-file.ts'
import type { Route } from './route.ts'

export interface StudioState {
  readonly folder: Signal<string>
  readonly files: Signal<readonly string[] | undefined>
  readonly project: Signal<ProjectInfo | undefined>
  readonly suites: Signal<readonly LiveSuite[]>
  readonly connected: Signal<boolean>
  /** What went wrong last, for the user to see. */
  readonly fault: Signal<string>
  /** What setting the folder up wrote, until it is undone or something is run. */
  readonly setUp: Signal<SetUp | undefined>
  /** What is being written, by path: it survives a change of view. */
  readonly drafts: Signal<ReadonlyMap<string, OpenFile>>
  /** What is being judged: it survives as well. */
  readonly judging: Judging
  /** The editor's worker, started on first use. */
  readonly language: () => AskLanguage
  /** Reads files and project anew. */
  refresh(): Promise<void>
  /** Here, or as a campaign for workers. */
  start(request: RunRequest, where?: 'here' | 'workers'): Promise<void>
  stop(suite: number): Promise<void>
}

/** A trace and the attack that judges it. */
interface Judging {
  readonly trace: Signal<GivenTrace | undefined>
  readonly attack: Signal<string>
  /** The file that the attack came from; empty for one that was written here. */
  readonly path: Signal<string>
  /** The address that last named a run. */
  readonly query: Signal<string>
}

/** A trace that was dropped here, or one from results. */
export interface GivenTrace {
  readonly name: string
  readonly text: string
  readonly results?: string
}

/** What every view gets. */
export interface ViewProps {
  readonly state: StudioState
  readonly route: Route
  /** Goes to an address; `replace` leaves nothing in the history. */
  readonly go: (address: string, replace?: boolean) => void
}

/** Begins to listen. The editor's worker may be needed at once. */
export async function openState(writing: boolean): Promise<StudioState> {
  let language = writing ? startLanguage() : undefined
  const fault = signal('')
  const tell = (asked: Awaited<ReturnType<typeof change>>) => {
    fault.value = asked.ok ? '' : asked.error.message
  }
  const state: StudioState = {
    folder: signal(''),
    files: signal(undefined),
    project: signal(undefined),
    suites: signal([]),
    connected: signal(true),
    fault,
    setUp: signal(undefined),
    drafts: signal(new Map()),
    judging: { trace: signal(undefined), attack: signal(''), path: signal(''), query: signal('') },
    language() {
      language ??= startLanguage()
      return language
    },
    async refresh() {
      const [files, project] = await Promise.all([ask<string[]>('/api/files'), ask<ProjectInfo>('/api/project')])
      if (files.ok) state.files.value = files.value
      if (project.ok) state.project.value = project.value
      tell(files)
    },
    start: async (request, where = 'here') =>
      tell(await change(where === 'here' ? '/api/run' : '/api/submit', request)),
    stop: async (suite) => tell(await change('/api/stop', { suite })),
  }
  await listen(state)
  void state.refresh()
  // The browser asks before it discards what is not saved.
  window.addEventListener('beforeunload', (event) => {
    if ([...state.drafts.value.values()].some((file) => file.isChanged())) event.preventDefault()
  })
  return state
}

/** How long to wait before asking a server again that refused. */
const AGAIN_MS = 1000

/** First what is there already, then what comes after it. */
async function listen(state: StudioState): Promise<void> {
  const again = () => setTimeout(() => void listen(state), AGAIN_MS)
  const asked = await ask<{ folder: string; last: number; suites: SuiteState[] }>('/api/state')
  if (!asked.ok) {
    // A server that was restarted has a new token; once its address is opened, it knows this page too.
    state.connected.value = asked.error.status !== 0
    state.fault.value = asked.error.message
    again()
    return
  }
  const { folder, last, suites } = asked.value
  batch(() => {
    state.folder.value = folder
    state.suites.value = suites.map(restore)
    state.fault.value = ''
  })
  const source = new EventSource(`/api/events?after=${last}`)
  source.onopen = () => (state.connected.value = true)
  // The browser reconnects on its own, and says what it received last; but not to a server that refuses it.
  source.onerror = () => {
    state.connected.value = false
    if (source.readyState === EventSource.CLOSED) again()
  }
  const heard = inBatches<Exclude<StudioEvent, { type: 'lost' }>>((event) => take(state, event))
  source.onmessage = ({ data }) => {
    const event: StudioEvent = JSON.parse(data)
    if (event.type !== 'lost') return heard(event)
    source.close()
    void listen(state)
  }
}

/** How long events wait in order to be drawn together. */
const BATCH_MS = 30

function inBatches<T>(take: (one: T) => void): (one: T) => void {
  let waiting: T[] = []
  return (one) => {
    waiting.push(one)
    if (waiting.length > 1) return
    setTimeout(() => {
      const all = waiting
      waiting = []
      batch(() => {
        for (const each of all) take(each)
      })
    }, BATCH_MS)
  }
}

function restore({ id, request, started_at, events, messages, end }: SuiteState): LiveSuite {
  const suite = createLiveSuite(id, request, started_at)
  for (const event of events) hear(suite, event)
  suite.counts.value = { ...suite.counts.value, messages }
  suite.end.value = end
  return suite
}

function take({ suites }: StudioState, event: Exclude<StudioEvent, { type: 'lost' }>): void {
  const known = suites.value.find(({ id }) => id === event.suite)
  if (event.type === 'suite-began') {
    if (known === undefined)
      suites.value = [...suites.value, createLiveSuite(event.suite, event.request, event.started_at)]
  } else if (known !== undefined && event.type === 'suite-event') hear(known, event.event)
  else if (known !== undefined && event.type === 'suite-ended') known.end.value = event.end
}
