/** The report with its routes and pages. */
import { type AttackResults, runsOf } from '@joust/results'
import { type ReadonlySignal, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { AttackDetail } from './attack-detail.tsx'
import type { AttackPlace, ReportData, ReportRun, TraceSummary } from './data.ts'
import { readFilter, writeFilter } from './matrix-rows.ts'
import { Overview } from './overview.tsx'
import { counterpartOf } from './pair.tsx'
import type { PlaceNames } from './place-names.ts'
import { targetNames } from './target-names.ts'
import { plainText } from './text.tsx'
import { ThemeButton } from './theme-button.tsx'
import type { Trace } from './trace.ts'

/** The current page: all attacks, or a trial of one attack. The query contains the filter on both pages. */
export interface Route {
  readonly place: AttackPlace | undefined
  readonly query: string
}

export function readRoute(hash: string, names: PlaceNames): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?')
  const words = path.split('/').filter((word) => word !== '')
  return { place: words.length === 0 ? undefined : names.placeOf(words.map(decoded)), query }
}

export function writeRoute({ place, query }: Route, names: PlaceNames): string {
  const path = place === undefined ? '' : names.wordsOf(place).map(encodeURIComponent).join('/')
  return `#/${path}${query === '' ? '' : `?${query}`}`
}

function decoded(word: string): string {
  try {
    return decodeURIComponent(word)
  } catch {
    return word
  }
}

/** Data that is loaded when the page of a trial is opened. */
export interface LoadedTrial {
  readonly trace: Trace
  /** Trace of the run to compare with. */
  readonly counterpart?: Trace | undefined
  /** The complete attack, with its document. */
  readonly attack: AttackResults | undefined
}

export function ReportPage(props: {
  readonly data: ReportData
  readonly names: PlaceNames
  readonly route: ReadonlySignal<Route>
  /** Navigates. `replace` adds no history entry. */
  readonly onRoute: (route: Route, replace: boolean) => void
  readonly readTrial: (place: AttackPlace) => Promise<LoadedTrial>
  readonly onTitle: (title: string) => void
}): JSX.Element {
  const { data, names, onRoute, readTrial, onTitle } = props
  const { place, query } = props.route.value
  const attack = place && data.runs[place.run]?.target.attacks[place.attack]
  const key = place === undefined ? '' : writeRoute({ place: { ...place, seq: undefined }, query: '' }, names)
  const main = useRef<HTMLElement>(null)
  const loaded = useLoaded(key, place, readTrial)
  useFocusOnNavigation(main, key, loaded !== undefined)
  useLayoutEffect(() => {
    onTitle(attack === undefined ? 'Joust report' : `${plainText(attack.attack.name)} · Joust report`)
  }, [key])
  return (
    <>
      <header class="bar">
        <a class="brand" href={writeRoute({ place: undefined, query }, names)}>
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
          trace={loaded?.trace}
          counterpart={loaded?.counterpart}
          attack={loaded?.attack}
          summary={place && data.traces[place.run]?.[place.attack]?.[place.trial]}
          linkTo={(route) => writeRoute(route, names)}
          onRoute={onRoute}
        />
      </main>
    </>
  )
}

function useLoaded(
  key: string,
  place: AttackPlace | undefined,
  readTrial: (place: AttackPlace) => Promise<LoadedTrial>,
): LoadedTrial | undefined {
  const latest = useSignal<{ readonly key: string; readonly trial: LoadedTrial } | undefined>(undefined)
  useEffect(() => {
    if (place === undefined) return
    let isCurrent = true
    readTrial(place).then((trial) => {
      if (isCurrent) latest.value = { key, trial }
    })
    return () => {
      isCurrent = false
    }
  }, [key])
  return latest.value?.key === key ? latest.value.trial : undefined
}

/** Shows all attacks, or a trial of one attack. */
export function ReportPages(props: {
  readonly runs: readonly ReportRun[]
  readonly notes: readonly string[]
  readonly route: Route
  /** Trace of the trial. Undefined while it is loading. */
  readonly trace: Trace | undefined
  /** Trace of the run that `counterpartOf` selects. Undefined while it is loading. */
  readonly counterpart?: Trace | undefined
  /** The complete attack of the trial, if `runs` contains only a part of the attack. */
  readonly attack?: AttackResults | undefined
  readonly summary?: TraceSummary | undefined
  readonly linkTo: (route: Route) => string
  /** Navigates. `replace` adds no history entry. */
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
  const whole = props.attack ?? attack
  const other = counterpartOf(whole, place.trial)
  const run = runsOf(whole)[other ?? -1]
  return (
    <AttackDetail
      key={`${place.run}/${place.attack}/${place.trial}`}
      {...{ target, trace, summary }}
      counterpart={
        other !== undefined && run !== undefined && props.counterpart !== undefined
          ? {
              run,
              trace: props.counterpart,
              onOpen: (seq) => onRoute({ place: { ...place, trial: other, seq }, query }, false),
            }
          : undefined
      }
      attack={whole}
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
function useFocusOnNavigation(main: { readonly current: HTMLElement | null }, key: string, isLoaded: boolean): void {
  const previous = useRef<string | undefined>(undefined)
  useLayoutEffect(() => {
    if (key !== '' && !isLoaded) return
    const before = previous.current
    previous.current = key
    if (key !== '') {
      window.scrollTo(0, 0)
      main.current?.querySelector('h1')?.focus({ preventScroll: true })
      return
    }
    if (before === undefined) return
    const attack = before.replace(/\/[^/]+$/, '/')
    const links = [...(main.current?.querySelectorAll<HTMLElement>('tbody a') ?? [])]
    const link = links.find((one) => one.getAttribute('href')?.startsWith(attack) === true) ?? links[0]
    link?.focus()
  }, [key, isLoaded])
}
