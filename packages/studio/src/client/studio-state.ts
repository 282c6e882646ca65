/** The state of the page as signals, which are updated from the server. */
import { type Signal, signal } from '@preact/signals'
import type {
  AimedFiles,
  AimInput,
  ProjectInfo,
  RunRequest,
  SetUp,
  StudioUpdate,
  SuiteState,
  ToolMap,
} from '../model/api.ts'
import { ask, change } from './ask.ts'
import { type AskLanguage, startLanguage } from './language-client.ts'
import type { OpenFile } from './open-file.ts'
import type { Route } from './route.ts'

export interface StudioState {
  readonly folder: Signal<string>
  readonly files: Signal<readonly string[] | undefined>
  readonly project: Signal<ProjectInfo | undefined>
  /** The last suite started in this process. */
  readonly suite: Signal<SuiteState | undefined>
  /** Connection error. Empty while connected. */
  readonly lost: Signal<string>
  /** Last error. Empty if there is no error. */
  readonly fault: Signal<string>
  /** Result of setting up the folder, until the setup is undone or a suite runs. */
  readonly setUp: Signal<SetUp | undefined>
  /** Drafts by path, kept while another view is open. */
  readonly drafts: Signal<ReadonlyMap<string, OpenFile>>
  /** The trace and the attack that is judged on it, kept while another view is open. */
  readonly judging: Judging
  /** The tool map of an input and the documents written for it, kept while another view is open. */
  readonly aiming: Aiming
  /** The editor's worker, started on first use. */
  readonly language: () => AskLanguage
  refresh(): Promise<void>
  /** Starts a suite in this process, or submits a campaign to workers. */
  start(request: RunRequest, where?: 'here' | 'workers'): Promise<void>
  stop(suite: number): Promise<void>
}

interface Judging {
  readonly trace: Signal<SelectedTrace | undefined>
  readonly attack: Signal<string>
  /** File of the attack. Empty for an attack typed into the view. */
  readonly path: Signal<string>
  /** Last URL query that was applied. */
  readonly query: Signal<string>
}

interface Aiming {
  readonly input: Signal<AimInput | undefined>
  readonly map: Signal<ToolMap | undefined>
  readonly files: Signal<AimedFiles | undefined>
}

/** An uploaded trace, or a trace from results. */
export interface SelectedTrace {
  readonly name: string
  readonly text: string
  readonly results?: string
}

export interface ViewProps {
  readonly state: StudioState
  readonly route: Route
  /** Navigates to a URL. `replace` adds no history entry. */
  readonly go: (address: string, replace?: boolean) => void
}

/** Creates the state and connects to the server. `needsLanguage` starts the editor's worker immediately. */
export async function openState(needsLanguage: boolean): Promise<StudioState> {
  let language = needsLanguage ? startLanguage() : undefined
  const fault = signal('')
  const setFault = (answer: Awaited<ReturnType<typeof change>>) => {
    fault.value = answer.ok ? '' : answer.error.message
  }
  const state: StudioState = {
    folder: signal(''),
    files: signal(undefined),
    project: signal(undefined),
    suite: signal(undefined),
    lost: signal(''),
    fault,
    setUp: signal(undefined),
    drafts: signal(new Map()),
    judging: { trace: signal(undefined), attack: signal(''), path: signal(''), query: signal('') },
    aiming: { input: signal(undefined), map: signal(undefined), files: signal(undefined) },
    language() {
      language ??= startLanguage()
      return language
    },
    async refresh() {
      const [files, project] = await Promise.all([ask<string[]>('/api/files'), ask<ProjectInfo>('/api/project')])
      if (files.ok) state.files.value = files.value
      if (project.ok) state.project.value = project.value
      setFault(files)
    },
    start: async (request, where = 'here') =>
      setFault(await change(where === 'here' ? '/api/run' : '/api/submit', request)),
    stop: async (suite) => setFault(await change('/api/stop', { suite })),
  }
  await listen(state, createUpdate(state))
  void state.refresh()
  // The browser asks for confirmation before it discards drafts.
  window.addEventListener('beforeunload', (event) => {
    if ([...state.drafts.value.values()].some((file) => file.isChanged())) event.preventDefault()
  })
  return state
}

/** Delay in milliseconds before reconnecting to a server that refused the connection. */
const RECONNECT_MS = 1000

const LOST = 'Connection lost; reconnecting. No events are missed.'

async function listen(state: StudioState, update: () => Promise<void>): Promise<void> {
  await update()
  const source = new EventSource('/api/events')
  source.onopen = update
  source.onmessage = update
  // The browser reconnects automatically, except to a server that refuses the connection.
  source.onerror = () => {
    state.lost.value ||= LOST
    if (source.readyState === EventSource.CLOSED) setTimeout(() => void listen(state, update), RECONNECT_MS)
  }
}

/** Returns a function that loads the state, one request at a time, and again if the state changed meanwhile. */
function createUpdate(state: StudioState): () => Promise<void> {
  let current = ''
  let isLoading = false
  let isStale = false
  return async function update() {
    isStale = isLoading
    if (isLoading) return
    isLoading = true
    const answer = await ask<StudioUpdate>('/api/state', { known: current })
    // A restarted server has a new token. Opening its URL in any tab also reconnects this page.
    if (!answer.ok) state.lost.value = answer.error.status === 0 ? LOST : answer.error.message
    else {
      const { folder, version, suite } = answer.value
      state.lost.value = ''
      state.folder.value = folder
      if (version !== current) state.suite.value = suite
      current = version
    }
    isLoading = false
    if (isStale) await update()
  }
}
