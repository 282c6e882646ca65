/** The frame: navigation, what went wrong, and the view itself. */

import { plainText, shown } from '@joust/report/components'
import { type ReadonlySignal, useComputed, useSignal, useSignalEffect } from '@preact/signals'
import type { ComponentType, JSX } from 'preact'
import { useEffect, useLayoutEffect } from 'preact/hooks'
import { type Route, type View, views, writeRoute } from './route.ts'
import { RunView } from './run-view.tsx'
import type { StudioState, ViewProps } from './studio-state.ts'

const names: Readonly<Record<View, string>> = { write: 'Write', run: 'Run', see: 'Results', judge: 'Judge a trace' }

export function App(props: {
  readonly state: StudioState
  readonly route: ReadonlySignal<Route>
  readonly go: ViewProps['go']
}): JSX.Element {
  const { state, go } = props
  const route = props.route.value
  useEffect(() => {
    document.title = `${names[route.view]} · ${plainText(state.folder.value)} · Joust studio`
  }, [route.view])
  useKeys(go)
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById('main')?.focus()}>
        Skip to the content
      </button>
      <header class="bar">
        <span class="brand">Joust</span>
        <span class="muted folder">
          <bdi>{shown(state.folder.value)}</bdi>
        </span>
        <nav aria-label="Views">
          {views.map((view, place) => (
            <a
              key={view}
              href={writeRoute({ view, words: [], query: '' })}
              aria-current={view === route.view ? 'page' : undefined}
              title={`Alt+${place + 1}`}
            >
              {names[view]}
            </a>
          ))}
        </nav>
        <ThemeButton />
      </header>
      <Troubles state={state} />
      <main id="main" tabIndex={-1} class={`view view-${route.view}`}>
        <CurrentView key={route.view} {...{ state, route, go }} />
      </main>
    </>
  )
}

/** What is not needed at once is loaded on demand. */
const later: Readonly<Partial<Record<View, () => Promise<ComponentType<ViewProps>>>>> = {
  write: async () => (await import('./write-view.tsx')).WriteView,
  see: async () => (await import('./see-view.tsx')).SeeView,
  judge: async () => (await import('./judge-view.tsx')).JudgeView,
}

/** Loads a view; undefined for one that comes with the page. */
export async function loadView(view: View): Promise<ComponentType<ViewProps> | undefined> {
  return later[view]?.()
}

function CurrentView(props: ViewProps): JSX.Element {
  const loaded = useSignal<ComponentType<ViewProps> | undefined>(undefined)
  useSignalEffect(() => {
    void loadView(props.route.view).then((view) => (loaded.value = view))
  })
  if (props.route.view === 'run') return <RunView {...props} />
  const Loaded = loaded.value
  return Loaded === undefined ? <p class="empty muted">Loading …</p> : <Loaded {...props} />
}

function Troubles({ state }: { readonly state: StudioState }): JSX.Element {
  const text = useComputed(() =>
    state.connected.value
      ? state.fault.value
      : 'The connection is lost; trying again. Nothing that happens in the meantime is missed.',
  )
  return (
    <div role="status" class={text.value === '' ? 'trouble visually-hidden' : 'trouble'}>
      {shown(text.value)}
    </div>
  )
}

/** Alt and a number go to a view. */
function useKeys(go: ViewProps['go']): void {
  // A layout effect, so that keys work as soon as the page is visible.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const view = event.altKey && !event.ctrlKey && !event.metaKey ? views[Number(event.key) - 1] : undefined
      if (view === undefined) return
      event.preventDefault()
      go({ view, words: [], query: '' })
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

const THEMES = ['auto', 'light', 'dark'] as const
const KEY = 'joust-studio-theme'

function ThemeButton(): JSX.Element {
  const theme = useSignal(THEMES.find((one) => one === localStorage.getItem(KEY)) ?? 'auto')
  useSignalEffect(() => {
    localStorage.setItem(KEY, theme.value)
    if (theme.value === 'auto') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = theme.value
  })
  const next = () => (theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'auto')
  return (
    <button type="button" class="theme" onClick={next} title={`Theme: ${theme.value}`}>
      <span>Theme: </span>
      {theme}
    </button>
  )
}
