/** What the page knows: signals, filled by questions. */
import { type Signal, signal } from '@preact/signals'
import type { ProjectInfo, RunRequest, SetUp, StudioNews, SuiteState } from '../model/api.ts'
import { ask, change } from './ask.ts'
import { type AskLanguage, startLanguage } from './language-client.ts'
import type { OpenFile } from './open-file.ts'
import type { Route } from './route.ts'

export interface StudioState {
  readonly folder: Signal<string>
  readonly files: Signal<readonly string[] | undefined>
  readonly project: Signal<ProjectInfo | undefined>
  /** The last suite that was started here. */
  readonly suite: Signal<SuiteState | undefined>
  /** Why the server cannot be asked; empty where it can. */
  readonly lost: Signal<string>
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

/** Begins to ask. The editor's worker may be needed at once. */
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
    suite: signal(undefined),
    lost: signal(''),
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
  await listen(state, newsFor(state))
  void state.refresh()
  // The browser asks before it discards what is not saved.
  window.addEventListener('beforeunload', (event) => {
    if ([...state.drafts.value.values()].some((file) => file.isChanged())) event.preventDefault()
  })
  return state
}

/** How long to wait before asking a server again that refused. */
const AGAIN_MS = 1000

const LOST = 'The connection is lost; trying again. Nothing that happens in the meantime is missed.'

/** Looks at once, and then whenever this tab's one stream says that something has changed. */
async function listen(state: StudioState, look: () => Promise<void>): Promise<void> {
  await look()
  const source = new EventSource('/api/events')
  source.onopen = look
  source.onmessage = look
  // The browser reconnects on its own, but not to a server that refuses it.
  source.onerror = () => {
    state.lost.value ||= LOST
    if (source.readyState === EventSource.CLOSED) setTimeout(() => void listen(state, look), AGAIN_MS)
  }
}

/** Asks what is new: one question at a time, and another one if something has changed meanwhile. */
function newsFor(state: StudioState): () => Promise<void> {
  let known = ''
  let asking = false
  let again = false
  return async function look() {
    again = asking
    if (asking) return
    asking = true
    const asked = await ask<StudioNews>('/api/state', { known })
    // A server that was restarted has a new token; once its address is opened, it knows this page too.
    if (!asked.ok) state.lost.value = asked.error.status === 0 ? LOST : asked.error.message
    else {
      const { folder, version, suite } = asked.value
      state.lost.value = ''
      state.folder.value = folder
      if (version !== known) state.suite.value = suite
      known = version
    }
    asking = false
    if (again) await look()
  }
}
