/** One run, just as in its report. */
import type { Results, TraceEntry } from '@joust/arena'
import { type AttackPlace, ReportPages, shownName, type Trace, traceOf } from '@joust/report/components'
import type { JSX } from 'preact'
import { useEffect, useMemo } from 'preact/hooks'
import { useAnswer } from './ask.ts'
import { Answered } from './boxes.tsx'
import { linkTo } from './route.ts'
import type { ViewProps } from './studio-state.ts'

interface RunReportProps extends ViewProps {
  readonly name: string
  /** Target, attack, trial and message, by number. */
  readonly words: readonly string[]
}

export function RunReport(props: RunReportProps): JSX.Element {
  const answer = useAnswer<Results>('/api/results', { name: props.name })
  return <Answered answer={answer}>{(results) => <RunPages {...props} results={results} />}</Answered>
}

function RunPages(props: RunReportProps & { readonly results: Results }): JSX.Element {
  const { name, results, words, route, go } = props
  const { targets, ...rest } = results
  const runs = useMemo(() => targets.map((target) => ({ target, results: rest })), [results])
  const [run, attack, trial = 0, seq] = words.map(Number)
  const place = run === undefined || attack === undefined ? undefined : { run, attack, trial, seq }
  const linkToPage = (to: AttackPlace | undefined, query: string) => linkTo('see', [name, ...wordsOf(to)], query)
  const named = place === undefined ? placeNamed(results, route.query) : undefined
  useEffect(() => {
    if (named !== undefined) go(linkToPage(named, ''), true)
  }, [named === undefined])
  const opened = targets[run ?? -1]?.attacks[attack ?? -1]
  const traceName = opened?.trials[trial]?.trace
  return (
    <>
      <div class="run-links">
        <p class="crumbs">
          <a href={linkTo('see')}>All results</a> / {shownName(name)}
        </p>
        {opened !== undefined && traceName !== undefined && traceName !== '' && (
          <a class="button" href={linkTo('judge', [], { results: name, trace: traceName, attack: opened.file })}>
            Judge this trace
          </a>
        )}
      </div>
      <ReportPages
        runs={runs}
        notes={[]}
        route={{ place, query: route.query }}
        trace={useTrace(name, traceName)}
        linkTo={(to) => linkToPage(to.place, to.query)}
        onRoute={(to, replace) => go(linkToPage(to.place, to.query), replace)}
      />
    </>
  )
}

function wordsOf(place: AttackPlace | undefined): string[] {
  if (place === undefined) return []
  return [place.run, place.attack, place.trial, place.seq].filter((word) => word !== undefined).map(String)
}

/** The place of a run that the address gives by names, as links from campaigns and trends do. */
function placeNamed({ targets }: Results, query: string): AttackPlace | undefined {
  const asked = new URLSearchParams(query)
  const run = targets.findIndex(({ name }) => name === asked.get('target'))
  const attack = targets[run]?.attacks.findIndex(({ file }) => file === asked.get('file')) ?? -1
  const trial = targets[run]?.attacks[attack]?.trials.findIndex((one) => one.trial === Number(asked.get('trial'))) ?? -1
  return attack < 0 ? undefined : { run, attack, trial: Math.max(0, trial) }
}

/** The trace of a trial; undefined while it is being read. */
export function useTrace(name: string, trace: string | undefined): Trace | undefined {
  const asked = useAnswer<TraceEntry[]>(trace ? '/api/trace' : undefined, { name, trace: trace ?? '' })
  return useMemo(() => {
    if (trace && asked === undefined) return undefined
    return traceOf(asked?.ok ? asked.value : [])
  }, [trace, asked])
}
