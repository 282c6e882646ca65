/** One run, just as in its report. */
import type { Results, TraceEntry } from '@joust/arena'
import {
  AttackDetail,
  type AttackPlace,
  Overview,
  readFilter,
  shown,
  type Trace,
  targetNames,
  traceOf,
  writeFilter,
} from '@joust/report/components'
import type { ComponentChildren, JSX } from 'preact'
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

/** All attacks of a run, or a trial of one. */
function RunPages(props: RunReportProps & { readonly results: Results }): JSX.Element {
  const { name, results, words, route, go } = props
  const { targets, ...rest } = results
  const runs = useMemo(() => targets.map((target) => ({ target, results: rest })), [results])
  const [run, attack, trial, seq] = words.map(Number)
  const link = ({ run, attack, trial, seq }: AttackPlace, query = route.query) =>
    linkTo('see', [name, ...[run, attack, trial, ...(seq === undefined ? [] : [seq])].map(String)], query)
  const linkToAll = (query = route.query) => linkTo('see', [name], query)
  const named = run === undefined ? placeNamed(results, route.query) : undefined
  useEffect(() => {
    if (named !== undefined) go(link(named, ''), true)
  }, [named === undefined])
  const target = targets[run ?? -1]
  const opened = target?.attacks[attack ?? -1]
  const traceName = opened?.trials[trial ?? 0]?.trace
  const trace = useTrace(name, traceName)
  if (run === undefined || target === undefined || opened === undefined || attack === undefined)
    return (
      <>
        <AboveRun name={name} />
        <Overview
          runs={runs}
          notes={[]}
          filter={readFilter(route.query)}
          onFilter={(filter) => go(linkToAll(writeFilter(filter)), true)}
          linkTo={link}
          linkToFilter={(filter) => linkToAll(writeFilter(filter))}
        />
      </>
    )
  if (trace === undefined) return <p class="empty muted">Reading …</p>
  const place = { run, attack, trial: trial ?? 0 }
  return (
    <>
      <AboveRun name={name}>
        {traceName !== undefined && traceName !== '' && (
          <a class="button" href={linkTo('judge', [], { results: name, trace: traceName, attack: opened.file })}>
            Judge this trace
          </a>
        )}
      </AboveRun>
      <AttackDetail
        key={traceName}
        target={target}
        targetName={targetNames(runs)[run] ?? ''}
        attack={opened}
        trial={place.trial}
        trace={trace}
        seq={seq}
        onOpen={(wanted) => go(link({ ...place, seq: wanted }), true)}
        overview={linkToAll()}
        linkToTrial={(wanted) => link({ ...place, trial: wanted })}
      />
    </>
  )
}

/** The way back to all results, and what else can be done. */
function AboveRun({ name, children }: { readonly name: string; readonly children?: ComponentChildren }): JSX.Element {
  return (
    <div class="run-links">
      <p class="crumbs">
        <a href={linkTo('see')}>All results</a> / <bdi>{shown(name)}</bdi>
      </p>
      {children}
    </div>
  )
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
