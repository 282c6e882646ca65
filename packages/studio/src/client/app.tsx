/** The page frame with navigation, error banner and current view. */

import { plainText, shown, shownName, ThemeButton } from '@joust/report/components'
import { type ReadonlySignal, useSignal, useSignalEffect } from '@preact/signals'
import type { ComponentType, JSX } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { Loading } from './boxes.tsx'
import { linkTo, type Route, type View, views } from './route.ts'
import { RunView } from './run-view.tsx'
import type { StudioState, ViewProps } from './studio-state.ts'

const names: Readonly<Record<View, string>> = {
  write: 'Write',
  run: 'Run',
  see: 'Results',
  judge: 'Judge a trace',
  aim: 'Aim',
}

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
  const placeOf = usePlaces(route)
  useKeys((view) => go(placeOf(view)))
  useFocusOn(linkTo(route.view, route.words, route.query))
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById('main')?.focus()}>
        Skip to the content
      </button>
      <header class="bar">
        <span class="brand">Joust</span>
        <span class="muted folder">{shownName(state.folder.value)}</span>
        <nav aria-label="Views">
          {views.map((view, place) => (
            <a
              key={view}
              href={placeOf(view)}
              aria-current={view === route.view ? 'page' : undefined}
              title={`Alt+${place + 1}`}
            >
              {names[view]}
            </a>
          ))}
        </nav>
        <KeyHelp />
        <ThemeButton storedAs="joust-studio-theme" />
      </header>
      <ErrorBanner state={state} />
      <main id="main" tabIndex={-1} class={`view view-${route.view}`}>
        <CurrentView key={route.view} {...{ state, route, go }} />
      </main>
    </>
  )
}

const keys = [
  ['Alt+1 to Alt+5', 'open a view'],
  ['Ctrl+S', 'save the open file'],
  ['Ctrl+Space', 'complete'],
  ['F12, Shift+F12', 'go to a definition; list references to a name'],
  ['F2', 'rename'],
  ['Shift+Alt+F', 'format the file'],
  ['F8', 'go to the next finding'],
  ['Escape, then Tab', 'leave the editor'],
  ['Arrow keys, Enter', 'move in lists, matrices and diagrams; open an entry'],
  ['?', 'show this list'],
]

function KeyHelp(): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const onKey = ({ key, target }: KeyboardEvent) => {
      const isTyping = target instanceof HTMLElement && (target.isContentEditable || target.matches('input, select'))
      if (key === '?' && !isTyping) dialog.current?.showModal()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  return (
    <>
      <button type="button" class="keys" onClick={() => dialog.current?.showModal()}>
        Keys
      </button>
      <dialog ref={dialog} aria-label="Keys">
        <dl class="key-list">
          {keys.map(([key, meaning]) => (
            <div key={key}>
              <dt>{key}</dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
        <button type="button" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </dialog>
    </>
  )
}

const lazyViews: Readonly<Partial<Record<View, () => Promise<ComponentType<ViewProps>>>>> = {
  write: async () => (await import('./write-view.tsx')).WriteView,
  see: async () => (await import('./results-view.tsx')).ResultsView,
  judge: async () => (await import('./judge-view.tsx')).JudgeView,
  aim: async () => (await import('./aim-view.tsx')).AimView,
}

/** Loads the code of a view. Undefined if the view is part of the page. */
export async function loadView(view: View): Promise<ComponentType<ViewProps> | undefined> {
  return lazyViews[view]?.()
}

/** Preloads all views when the browser is idle, so that they open even after the connection is lost. */
export function loadViews(): void {
  const load = () => Promise.all(views.map(loadView)).catch(() => undefined)
  if ('requestIdleCallback' in window) requestIdleCallback(load)
  else setTimeout(load)
}

function CurrentView(props: ViewProps): JSX.Element {
  const { state, route } = props
  const loaded = useSignal<ComponentType<ViewProps> | undefined>(undefined)
  useSignalEffect(() => {
    // Retries when the connection is restored.
    if (state.lost.value !== '' && loaded.peek() !== undefined) return
    void loadView(route.view).then(
      (view) => (loaded.value = view),
      () => undefined,
    )
  })
  if (route.view === 'run') return <RunView {...props} />
  const Loaded = loaded.value
  return Loaded === undefined ? <Loading /> : <Loaded {...props} />
}

function ErrorBanner({ state }: { readonly state: StudioState }): JSX.Element {
  const text = state.lost.value || state.fault.value
  return (
    <div role="status" class={text === '' ? 'trouble visually-hidden' : 'trouble'}>
      {shown(text)}
    </div>
  )
}

/** Returns the URL of each view. The URL of the editor includes the file that was last open. */
function usePlaces(route: Route): (view: View) => string {
  const file = useRef<string | undefined>(undefined)
  if (route.view === 'write') file.current = route.words.length > 0 ? linkTo('write', route.words) : undefined
  return (view) => (view === 'write' && route.view !== 'write' && file.current) || linkTo(view)
}

/** Opens a view when Alt and a digit are pressed, regardless of the keyboard layout. */
function useKeys(go: (view: View) => void): void {
  const latest = useRef(go)
  latest.current = go
  // A layout effect, so that keys work as soon as the page is visible.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const digit = /^Digit(\d)$/.exec(event.code)?.[1] ?? event.key
      const view = event.altKey && !event.ctrlKey && !event.metaKey ? views[Number(digit) - 1] : undefined
      if (view === undefined) return
      event.preventDefault()
      latest.current(view)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

/** Moves the focus to the new view if the focused element was removed together with the old view. */
function useFocusOn(address: string): void {
  const before = useRef(address)
  useEffect(() => {
    if (before.current !== address && document.activeElement === document.body)
      document.getElementById('main')?.focus({ preventScroll: true })
    before.current = address
  }, [address])
}
