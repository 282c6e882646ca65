/** The report of one run. */

import {
  type AttackPlace,
  counterpartOf,
  createPlaceNames,
  ReportPages,
  shownName,
  type Trace,
  traceOf,
} from '@joust/report/components'
import { type AttackResults, type Results, runsOf } from '@joust/results'
import type { JSX } from 'preact'
import { useEffect, useMemo } from 'preact/hooks'
import type { StoredTrace } from '../model/api.ts'
import { useAnswer } from './ask.ts'
import { Answered, Fault } from './boxes.tsx'
import { linkTo } from './route.ts'
import type { ViewProps } from './studio-state.ts'

interface RunReportProps extends ViewProps {
  readonly name: string
  /** Target, attack, trial and message, as written by `createPlaceNames`. */
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
  const names = useMemo(() => createPlaceNames(runs), [runs])
  const place = names.placeOf(words)
  const linkToPage = (to: AttackPlace | undefined, query: string) =>
    linkTo('see', [name, ...(to === undefined ? [] : names.wordsOf(to))], query)
  const namedPlace = place === undefined ? placeByName(results, route.query) : undefined
  useEffect(() => {
    if (namedPlace !== undefined) go(linkToPage(namedPlace, ''), true)
  }, [namedPlace === undefined])
  const current = place && targets[place.run]?.attacks[place.attack]
  const attack = useAttack(current && name, targets[place?.run ?? -1]?.name, current?.file)
  const traceName = current && runsOf(current)[place.trial]?.trace
  const otherName = current && runsOf(current)[counterpartOf(current, place.trial) ?? -1]?.trace
  const [trace, counterpart] = [useTrace(name, traceName), useTrace(name, otherName)]
  return (
    <>
      <div class="run-links">
        <p class="crumbs">
          <a href={linkTo('see')}>All results</a> / {shownName(name)}
        </p>
        {current !== undefined && traceName !== undefined && traceName !== '' && (
          <a class="button" href={linkTo('judge', [], { results: name, trace: traceName, attack: current.file })}>
            Judge this trace
          </a>
        )}
      </div>
      {attack?.ok === false && <Fault text={attack.error.message} />}
      <ReportPages
        runs={runs}
        notes={[]}
        route={{ place, query: route.query }}
        trace={attack?.ok === true ? trace : undefined}
        counterpart={counterpart}
        attack={attack?.ok === true ? attack.value : undefined}
        linkTo={(to) => linkToPage(to.place, to.query)}
        onRoute={(to, replace) => go(linkToPage(to.place, to.query), replace)}
      />
    </>
  )
}

/** Finds the run that the URL identifies by name, as in links from campaigns and trends. */
function placeByName({ targets }: Results, query: string): AttackPlace | undefined {
  const params = new URLSearchParams(query)
  const run = targets.findIndex(({ name }) => name === params.get('target'))
  const attack = targets[run]?.attacks.findIndex(({ file }) => file === params.get('file')) ?? -1
  const { trials = [], placebo_trials: placebo = [] } = targets[run]?.attacks[attack] ?? {}
  const [runs, before] = params.get('arm') === 'placebo' ? [placebo, trials.length] : [trials, 0]
  const trial = runs.findIndex((one) => one.trial === Number(params.get('trial')))
  return attack < 0 ? undefined : { run, attack, trial: trial < 0 ? 0 : before + trial }
}

/** Returns an attack with its document and all details of its runs. Undefined if there are no results. */
export function useAttack(
  results: string | undefined,
  target = '',
  file = '',
): ReturnType<typeof useAnswer<AttackResults>> {
  return useAnswer<AttackResults>(results && '/api/attack', { name: results ?? '', target, file })
}

/** Returns the trace of a trial. Undefined while the trace is loading. */
export function useTrace(name: string, trace: string | undefined): Trace | undefined {
  const answer = useAnswer<StoredTrace>(trace ? '/api/trace' : undefined, { name, trace: trace ?? '' })
  return useMemo(() => {
    if (trace && answer === undefined) return undefined
    if (answer?.ok !== true) return traceOf([])
    const { entries, baitCall } = answer.value
    return { ...traceOf(entries), ...(baitCall && { baitCall }) }
  }, [trace, answer])
}
