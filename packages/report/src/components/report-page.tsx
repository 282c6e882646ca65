/** The report: its routes and pages. */
import type { ReadonlySignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { AttackDetail } from './attack-detail.tsx'
import type { AttackPlace, ReportData, ReportRun, TraceSummary } from './data.ts'
import { readFilter, writeFilter } from './matrix-rows.ts'
import { Overview, targetNames } from './overview.tsx'
import { plainText } from './text.tsx'
import { ThemeButton } from './theme-button.tsx'
import type { Trace } from './trace.ts'

/** The current page: all attacks, or a trial of one. Both keep the filter in the query. */
export interface Route {
  readonly place: AttackPlace | undefined
  readonly query: string
}

/** Parses the fragment of a URL. */
export function readRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#/, '').split('?')
  const [, run, attack, trial, , seq] = /^\/(\d+)\/(\d+)\/(\d+)(\/(\d+))?$/.exec(path) ?? []
  if (run === undefined) return { place: undefined, query }
  const message = seq === undefined ? undefined : Number(seq)
  return { place: { run: Number(run), attack: Number(attack), trial: Number(trial), seq: message }, query }
}

/** Writes the fragment of a URL. */
export function writeRoute({ place, query }: Route): string {
  const { run, attack, trial, seq } = place ?? {}
  const path = place === undefined ? '' : `${run}/${attack}/${trial}${seq === undefined ? '' : `/${seq}`}`
  return `#/${path}${query === '' ? '' : `?${query}`}`
}

export function ReportPage(props: {
  readonly data: ReportData
  readonly route: ReadonlySignal<Route>
  /** Navigates; `replace` adds no history entry. */
  readonly onRoute: (route: Route, replace: boolean) => void
  readonly readTrace: (place: AttackPlace) => Trace
  readonly onTitle: (title: string) => void
}): JSX.Element {
  const { data, onRoute, readTrace, onTitle } = props
  const { place: requested, query } = props.route.value
  const attack = requested && data.runs[requested.run]?.target.attacks[requested.attack]
  const place = attack && requested
  const key = place === undefined ? '' : writeRoute({ place: { ...place, seq: undefined }, query: '' })
  const main = useRef<HTMLElement>(null)
  useFocusOnNavigation(main, key)
  useLayoutEffect(() => {
    onTitle(attack === undefined ? 'Joust report' : `${plainText(attack.attack.name)} · Joust report`)
  }, [key])
  const trace = useMemo(() => (place === undefined ? undefined : readTrace(place)), [key])
  return (
    <>
      <header class="bar">
        <a class="brand" href={writeRoute({ place: undefined, query })}>
          Joust
        </a>
        <span class="muted">report</span>
        <ThemeButton storedAs="joust-report-theme" />
      </header>
      <main ref={main}>
        <ReportPages
          runs={data.runs}
          notes={data.notes}
          route={{ place, query }}
          trace={trace}
          summary={place && data.traces[place.run]?.[place.attack]?.[place.trial]}
          linkTo={writeRoute}
          onRoute={onRoute}
        />
      </main>
    </>
  )
}

/** The page of all attacks, or of a trial of one. */
export function ReportPages(props: {
  readonly runs: readonly ReportRun[]
  readonly notes: readonly string[]
  readonly route: Route
  /** The trace of the trial; undefined while it is loading. */
  readonly trace: Trace | undefined
  readonly summary?: TraceSummary | undefined
  readonly linkTo: (route: Route) => string
  /** Navigates; `replace` adds no history entry. */
  readonly onRoute: (route: Route, replace: boolean) => void
}): JSX.Element {
  const { runs, notes, trace, summary, linkTo, onRoute } = props
  const { place, query } = props.route
  const target = runs[place?.run ?? -1]?.target
  const attack = target?.attacks[place?.attack ?? -1]
  if (place === undefined || target === undefined || attack === undefined)
    return (
      <Overview
        runs={runs}
        notes={notes}
        filter={readFilter(query)}
        onFilter={(filter) => onRoute({ place: undefined, query: writeFilter(filter) }, true)}
        linkTo={(to) => linkTo({ place: to, query })}
        linkToFilter={(filter) => linkTo({ place: undefined, query: writeFilter(filter) })}
      />
    )
  if (trace === undefined) return <p class="empty muted">Loading …</p>
  return (
    <AttackDetail
      key={`${place.run}/${place.attack}/${place.trial}`}
      {...{ target, attack, trace, summary }}
      targetName={targetNames(runs)[place.run] ?? ''}
      trial={place.trial}
      seq={place.seq}
      // Moving between messages adds no history entries.
      onOpen={(seq) => onRoute({ place: { ...place, seq }, query }, place.seq !== undefined && seq !== undefined)}
      overview={linkTo({ place: undefined, query })}
      linkToTrial={(trial) => linkTo({ place: { ...place, trial, seq: undefined }, query })}
    />
  )
}

/** After navigation, focuses the heading, or the link of the attack that was shown before. */
function useFocusOnNavigation(main: { readonly current: HTMLElement | null }, key: string): void {
  const previous = useRef<string | undefined>(undefined)
  useLayoutEffect(() => {
    const before = previous.current
    previous.current = key
    if (key !== '') {
      window.scrollTo(0, 0)
      main.current?.querySelector('h1')?.focus({ preventScroll: true })
      return
    }
    if (before === undefined) return
    const attack = before.replace(/\/\d+$/, '/')
    const links = [...(main.current?.querySelectorAll<HTMLElement>('tbody a') ?? [])]
    const link = links.find((one) => one.getAttribute('href')?.startsWith(attack) === true) ?? links[0]
    link?.focus()
  }, [key])
}
