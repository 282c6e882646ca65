/** The script of a report file: passes the embedded data and the URL to the page. */
import { signal } from '@preact/signals'
import { render } from 'preact'
import { traceBlockId } from './data.ts'
import { ReportPage, type Route, readRoute, writeRoute } from './report-page.tsx'
import type { Trace } from './trace.ts'

function startReport(): void {
  const route = signal(readRoute(location.hash))
  const onRoute = (next: Route, replace: boolean) => {
    if (replace) history.replaceState(null, '', writeRoute(next))
    else location.hash = writeRoute(next)
    route.value = next
  }
  const root = document.createElement('div')
  document.body.append(root)
  render(
    <ReportPage
      data={JSON.parse(blockText('report'))}
      route={route}
      onRoute={onRoute}
      readTrace={({ run, attack, trial }) => readTrace(traceBlockId(run, attack, trial))}
      onTitle={(title) => (document.title = title)}
    />,
    root,
  )
  window.addEventListener('hashchange', () => (route.value = readRoute(location.hash)))
  document.addEventListener('keydown', (event) => onKey(event, route.value, onRoute))
  performance.mark('joust-shown')
}

/** Reads a trace block: the first line describes the messages, the other lines are their contents as JSON. */
function readTrace(block: string): Trace {
  const [head = '', ...lines] = blockText(block).split('\n')
  const trace: Omit<Trace, 'lines'> | null = JSON.parse(head)
  return { ...(trace ?? { messages: [] }), lines }
}

function blockText(id: string): string {
  return document.getElementById(id)?.textContent?.trim() ?? 'null'
}

/** `/` focuses the search field. Escape clears a field, closes the message, or returns to all attacks. */
function onKey(event: KeyboardEvent, { place, query }: Route, onRoute: (route: Route, replace: boolean) => void): void {
  const field = event.target instanceof HTMLInputElement ? event.target : undefined
  const search = document.querySelector('input[type=search]')
  if (event.key === '/' && field === undefined && !event.ctrlKey && !event.metaKey && search instanceof HTMLElement) {
    event.preventDefault()
    search.focus()
  }
  if (event.key !== 'Escape') return
  if (field !== undefined && field.value !== '') {
    field.value = ''
    field.dispatchEvent(new Event('input', { bubbles: true }))
  } else if (place?.seq !== undefined) onRoute({ place: { ...place, seq: undefined }, query }, false)
  else if (place !== undefined) onRoute({ place: undefined, query }, false)
}

startReport()
