/** The outcomes of each attack on each target over time. */
import { ResultBadge, shownName } from '@joust/report/components'
import { compareCodePoints } from '@joust/source'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { cellKey, type ResultsSummary } from '../model/api.ts'
import { OutcomeTable, useSearch } from './boxes.tsx'
import { linkTo, linkToRun } from './route.ts'

/** Maximum number of runs shown together. */
const RUNS = 20
/** Maximum number of rows. */
const ROWS = 300

export function Trends({ list }: { readonly list: readonly ResultsSummary[] }): JSX.Element {
  const runs = useMemo(() => {
    const readable = list.filter(({ fault }) => fault === undefined)
    return readable.slice(0, RUNS).reverse()
  }, [list])
  const trends = useMemo(() => trendsOf(runs), [runs])
  const { box, finds } = useSearch('Filter attacks and targets')
  const onlyChanged = useSignal(false)
  const matches = trends.filter(
    ({ name, target, changed }) => finds(`${name} ${target}`) && (changed || !onlyChanged.value),
  )
  return (
    <section aria-label="Trends">
      {runs.length > 1 && <TargetTrends runs={runs} />}
      <div class="attack-tools">
        {box}
        <label>
          <input
            type="checkbox"
            checked={onlyChanged.value}
            onChange={() => (onlyChanged.value = !onlyChanged.value)}
          />{' '}
          only changes
        </label>
        <span class="muted" role="status">
          {matches.length} of {trends.length}
        </span>
        {list.length > RUNS && <span class="muted">in the newest {RUNS} runs</span>}
      </div>
      <OutcomeTable
        class="trends"
        label="Attacks over time"
        columns={[
          ['', 'Target'],
          ...runs.map(
            ({ name, started_at }) =>
              [
                name,
                <a key={name} href={linkTo('see', [name])} title={name}>
                  {timeOf(started_at, runs)}
                </a>,
              ] as const,
          ),
        ]}
        rows={matches.slice(0, ROWS).map((trend) => ({ ...trend, cells: <TrendCells {...trend} runs={runs} /> }))}
      />
      {matches.length > ROWS && <p class="muted">… and {matches.length - ROWS} more: use the search to see them</p>}
    </section>
  )
}

type Trend = ReturnType<typeof trendsOf>[number]

function TrendCells(props: Trend & { readonly runs: readonly ResultsSummary[] }): JSX.Element {
  const { target, file, outcomes, runs } = props
  return (
    <>
      <td>{shownName(target)}</td>
      {outcomes.map((outcome, place) => (
        <td key={runs[place]?.name}>
          {outcome === undefined ? (
            <span class="muted">–</span>
          ) : (
            <a
              class="cell"
              tabIndex={-1}
              href={linkToRun(runs[place]?.name ?? '', { target, file })}
              title="Messages of this run"
            >
              <ResultBadge result={outcome} />
            </a>
          )}
        </td>
      ))}
    </>
  )
}

/** Formats month, day, hour and minute, and also the second if several runs started in the same minute. */
function timeOf(started: string, runs: readonly ResultsSummary[]): string {
  const minute = started.slice(5, 16)
  const isOnly = runs.filter(({ started_at }) => started_at.slice(5, 16) === minute).length === 1
  return (isOnly ? minute : started.slice(5, 19)).replace('T', ' ')
}

function TargetTrends({ runs }: { readonly runs: readonly ResultsSummary[] }): JSX.Element {
  const targets = [...new Set(runs.flatMap((run) => run.targets.map(({ name }) => name)))].slice(0, 12)
  return (
    <dl class="target-trends">
      {targets.map((target) => {
        const shares = runs.map((run) => sharesOf(run, target))
        return (
          <div class="target-trend" key={target}>
            <dt>{shownName(target)}</dt>
            <dd>
              {shares.map((share, place) => (
                <Bar key={runs[place]?.name} share={share} />
              ))}
              <span class="muted">{trendText(shares)}</span>
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

interface Shares {
  readonly all: number
  readonly exploited: number
  readonly resisted: number
}

export function sharesOf(run: ResultsSummary, target: string): Shares | undefined {
  const attacks = run.targets.find(({ name }) => name === target)?.attacks ?? []
  const count = (...outcomes: string[]) => attacks.filter(({ outcome }) => outcomes.includes(outcome)).length
  const all = attacks.length - count('not_applicable')
  return all === 0 ? undefined : { all, exploited: count('exploited', 'partial'), resisted: count('resisted') }
}

function Bar({ share }: { readonly share: Shares | undefined }): JSX.Element {
  const { all, exploited, resisted } = share ?? { all: 1, exploited: 0, resisted: 0 }
  const part = (count: number) => (count / all) * 44
  return (
    <svg viewBox="0 0 14 44" aria-hidden="true">
      {share === undefined ? (
        <rect x="0.5" y="38" width="13" height="5" />
      ) : (
        <>
          <rect class="resisted" x="0" y={44 - part(resisted)} width="14" height={part(resisted)} />
          <rect class="open" x="0" y={part(exploited)} width="14" height={part(all - exploited - resisted)} />
          <rect class="exploited" x="0" y="0" width="14" height={part(exploited)} />
        </>
      )}
    </svg>
  )
}

export function trendText(shares: readonly (Shares | undefined)[]): string {
  const counts = shares.filter((share) => share !== undefined)
  const [first, last] = [counts[0], counts.at(-1)]
  if (first === undefined || last === undefined) return ''
  const text = ({ exploited, all }: Shares) => `${exploited} of ${all}`
  return counts.length === 1 ? `${text(last)} succeeded` : `${text(first)} succeeded at first, ${text(last)} now`
}

/** Returns a row for each attack on each target, with outcomes in chronological order. Changed rows come first. */
export function trendsOf(runs: readonly ResultsSummary[]) {
  const trends = attackRows(runs).map(({ key, target, file, first, cells }) => {
    const outcomes = cells.map((cell) => cell?.outcome)
    const recorded = outcomes.filter((outcome) => outcome !== undefined)
    return { key, target, file, name: first.name, outcomes, changed: new Set(recorded).size > 1 }
  })
  return trends.sort((a, b) => Number(b.changed) - Number(a.changed) || compareCodePoints(a.name, b.name))
}

export interface AttackRow<T> {
  readonly key: string
  readonly target: string
  readonly file: string
  readonly first: T
  /** Results by run. Undefined for a run that does not contain the attack. */
  readonly cells: readonly (T | undefined)[]
}

export function attackRows<T extends { readonly file: string }>(
  runs: readonly { readonly targets: readonly { readonly name: string; readonly attacks: readonly T[] }[] }[],
): AttackRow<T>[] {
  const rows = new Map<string, AttackRow<T> & { readonly cells: (T | undefined)[] }>()
  for (const [place, { targets }] of runs.entries())
    for (const { name: target, attacks } of targets)
      for (const attack of attacks) {
        const { file } = attack
        const key = cellKey({ target, file })
        const row = rows.get(key) ?? { key, target, file, first: attack, cells: runs.map(() => undefined) }
        rows.set(key, row)
        row.cells[place] = attack
      }
  return [...rows.values()]
}
