/** Script of a report file. Passes the embedded data and the URL to the page. */
import { signal } from '@preact/signals'
import { render } from 'preact'
import {
  type AttackPlace,
  type ReportData,
  TRACE_SEPARATOR,
  type TraceHead,
  type TraceSummary,
  traceBlockId,
} from './data.ts'
import { counterpartOf } from './pair.tsx'
import { createPlaceNames } from './place-names.ts'
import { type LoadedTrial, ReportPage, type Route, readRoute, writeRoute } from './report-page.tsx'
import type { Trace } from './trace.ts'

async function startReport(): Promise<void> {
  const data: ReportData = await blockOf('report').json()
  const names = createPlaceNames(data.runs)
  const route = signal(readRoute(location.hash, names))
  const onRoute = (next: Route, replace: boolean) => {
    if (replace) history.replaceState(null, '', writeRoute(next, names))
    else location.hash = writeRoute(next, names)
    route.value = next
  }
  const root = document.createElement('div')
  document.body.append(root)
  const readOne = (place: AttackPlace) => readTrial(data, place)
  const onTitle = (title: string) => (document.title = title)
  render(<ReportPage {...{ data, names, route, onRoute, onTitle }} readTrial={readOne} />, root)
  window.addEventListener('hashchange', () => (route.value = readRoute(location.hash, names)))
  document.addEventListener('keydown', (event) => onKey(event, route.value, onRoute))
  performance.mark('joust-shown')
}

interface StoredTrace {
  readonly head: TraceHead
  readonly lines: readonly string[]
}

/** Reads the traces of a trial and its counterpart, and the complete attack, which its first trace contains. */
async function readTrial({ runs, traces }: ReportData, { run, attack, trial }: AttackPlace): Promise<LoadedTrial> {
  const results = runs[run]?.target.attacks[attack]
  const summaries = traces[run]?.[attack] ?? []
  const [first, own] = [summaries[0], summaries[trial]]
  if (first === undefined || own === undefined) return { trace: { messages: [], lines: [] }, attack: results }
  const other = results && summaries[counterpartOf(results, trial) ?? -1]
  const [trace, whole, counterpart] = await Promise.all([readTrace(own), readTrace(first), other && readTrace(other)])
  return {
    trace: traceIn(trace),
    counterpart: counterpart && traceIn(counterpart),
    attack: whole.head.attack ?? results,
  }
}

function traceIn({ head: { attack: _, ...rest }, lines }: StoredTrace): Trace {
  return { ...rest, lines }
}

async function readTrace({ block, part }: TraceSummary): Promise<StoredTrace> {
  // The trace blocks follow this script, so that the first view does not wait for them.
  if (document.readyState === 'loading')
    await new Promise((done) => document.addEventListener('DOMContentLoaded', done, { once: true }))
  const texts = (await blockOf(traceBlockId(block)).text()).split(TRACE_SEPARATOR)
  const [head = '{"messages":[]}', ...lines] = (texts[part] ?? '').split('\n')
  return { head: JSON.parse(head), lines }
}

function blockOf(id: string): Response {
  const binary = atob(document.getElementById(id)?.textContent?.trim() ?? '')
  // Much faster than a callback for each byte.
  const bytes = new Uint8Array(binary.length)
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at)
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')))
}

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

startReport().catch((thrown: unknown) => {
  const reason = thrown instanceof Error ? thrown.message : String(thrown)
  document.body.append(`Cannot show this report: ${reason}. It requires a browser from 2023 or later.`)
})
