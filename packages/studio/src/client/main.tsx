/** Starts the studio page: style sheet, state, and the view selected by the URL. */
import { reportStyle } from '@joust/report/components'
import { signal } from '@preact/signals'
import { render } from 'preact'
import { App, loadView, loadViews } from './app.tsx'
import { readRoute } from './route.ts'
import { openState } from './studio-state.ts'
import { studioStyle } from './style.ts'

async function startStudio(): Promise<void> {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(reportStyle + studioStyle)
  document.adoptedStyleSheets = [sheet]
  const route = signal(readRoute(location.hash))
  const updateRoute = () => (route.value = readRoute(location.hash))
  const go = (address: string, replace = false) => {
    if (replace) history.replaceState(null, '', address)
    else if (address !== location.hash) history.pushState(null, '', address)
    updateRoute()
  }
  window.addEventListener('hashchange', updateRoute)
  window.addEventListener('popstate', updateRoute)
  const root = document.createElement('div')
  root.className = 'studio'
  document.body.append(root)
  void loadView(route.value.view)
  const state = await openState(route.value.view === 'write')
  render(<App state={state} route={route} go={go} />, root)
  performance.mark('joust-shown')
  loadViews()
}

void startStudio()
