/** The progress of a suite or campaign, and its matrix of attacks and targets. */
import { countText, numberText, ResultBadge, SEVERITY_ORDER, SeverityBadge, shownName } from '@joust/report/components'
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { type CampaignInfo, type CampaignRun, cellKey, cellsOf, type ProjectAttack, worstRun } from '../model/api.ts'
import { OutcomeTable, useSearch } from './boxes.tsx'

export function Progress(
  props: Pick<CampaignInfo, 'runs' | 'open' | 'running' | 'outcomes'> & {
    readonly of: string
    /** True to announce changes to assistive technology. In a list, this is too noisy. @default false */
    readonly announced?: boolean
  },
): JSX.Element {
  const { of, runs, open, running, outcomes, announced = false } = props
  return (
    <>
      <progress max={runs} value={runs - open} aria-label={`Finished runs of ${of}`} />
      <span class="standing" role={announced ? 'status' : undefined}>
        {numberText(runs - open)} of {countText(runs, 'run')}
        {running > 0 && `, ${running} running`}
        {Object.entries(outcomes)
          .filter(([, count]) => count > 0)
          .map(([outcome, count]) => (
            <ResultBadge key={outcome} result={outcome} word={`${count} ${outcome.replaceAll('_', ' ')}`} />
          ))}
      </span>
    </>
  )
}

/** Counts each outcome, in order of first occurrence. */
export function countsOf(outcomes: readonly string[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>()
  for (const outcome of outcomes) counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
  return Object.fromEntries(counts)
}

interface RunMatrixProps {
  readonly targets: readonly string[]
  readonly attacks: readonly ProjectAttack[]
  readonly trials: number
  /** True if an attack may need fewer trials than `trials`. */
  readonly atMost?: boolean | undefined
  readonly runs: readonly CampaignRun[]
  readonly linkTo: (run: CampaignRun) => string
  /** Text that is shown for an attack that was not run. */
  readonly otherwise: string
  /** Runs one attack again on all targets. Absent while no run can be started. */
  readonly onRepeat?: ((file: string) => void) | undefined
}

export function RunMatrix({ targets, attacks, runs, onRepeat, ...rest }: RunMatrixProps): JSX.Element {
  const cells = cellsOf(runs)
  const { box, finds } = useSearch('Filter attacks')
  const rows = bySeverity(attacks.filter(({ file, name }) => finds(`${file} ${name}`)))
  return (
    <section class="live" aria-label="Live outcomes">
      <div class="attack-tools">
        {box}
        <span class="muted" role="status">
          {countText(rows.length, 'attack')}
        </span>
      </div>
      <OutcomeTable
        label="Attacks by targets"
        columns={targets.map((target) => [target, shownName(target)])}
        rows={rows.map(({ file, name, severity }) => ({
          key: file,
          name,
          notes: severity !== undefined && <SeverityBadge severity={severity} />,
          action: onRepeat && (
            <button type="button" class="cell repeat" tabIndex={-1} onClick={() => onRepeat(file)}>
              Run again
            </button>
          ),
          cells: targets.map((target) => (
            <Cell key={target} runs={cells.get(cellKey({ target, file })) ?? []} {...rest} />
          )),
        }))}
      />
    </section>
  )
}

function bySeverity(attacks: readonly ProjectAttack[]): readonly ProjectAttack[] {
  const rank = ({ severity = '' }: ProjectAttack) => SEVERITY_ORDER.indexOf(severity) + 1 || SEVERITY_ORDER.length + 1
  return attacks.toSorted((a, b) => rank(a) - rank(b))
}

function Cell({
  runs: all,
  trials,
  atMost = false,
  linkTo,
  otherwise,
}: Omit<RunMatrixProps, 'targets' | 'attacks' | 'onRepeat'>): JSX.Element {
  // Memoized, because few of a thousand cells change at a time.
  return useMemo(() => {
    const runs = all.filter(({ arm }) => arm === undefined)
    const placebo = all.filter(({ arm }) => arm === 'placebo')
    const done = runs.filter(({ outcome }) => outcome !== undefined)
    const running = runs.find((run) => !done.some(({ trial }) => trial === run.trial))
    const worst = worstRun(done)
    if (running === undefined && worst === undefined) return <td class="muted">{otherwise}</td>
    return (
      <td>
        {running !== undefined && (
          <a class="cell running" tabIndex={-1} href={linkTo(running)} title="Live messages of this run">
            running{running.messages !== undefined && `, ${countText(running.messages, 'message')}`}
          </a>
        )}{' '}
        {worst?.outcome !== undefined && (
          <a class="cell" tabIndex={-1} href={linkTo(worst)} title="Messages of this run">
            <ResultBadge result={worst.outcome} />
          </a>
        )}
        {trials > 1 && <span class="muted">{` ${done.length} of ${atMost ? 'at most ' : ''}${trials}`}</span>}{' '}
        <Placebo runs={placebo} linkTo={linkTo} />
      </td>
    )
  }, [JSON.stringify(all), trials, otherwise])
}

/** Links to a run without the bait. Such runs do not count as trials. */
function Placebo({ runs, linkTo }: Pick<RunMatrixProps, 'runs' | 'linkTo'>): JSX.Element | null {
  const linked = runs.find(({ outcome }) => outcome === undefined) ?? worstRun(runs)
  if (linked === undefined) return null
  const successes = runs.filter(({ outcome }) => outcome === 'exploited' || outcome === 'partial').length
  return (
    <a class="cell muted" tabIndex={-1} href={linkTo(linked)} title="Messages of a run without the bait">
      without the bait {successes} of {runs.length}
    </a>
  )
}
