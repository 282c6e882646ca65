/** Runs under way, of a suite here or of a campaign: how many are done, and attacks by targets as outcomes come. */
import type { Outcome } from '@joust/arena'
import { countText, numberText, ResultBadge, shown } from '@joust/report/components'
import type { ComponentChildren, JSX } from 'preact'
import type { CellPlace } from '../model/api.ts'
import { useSearch } from './boxes.tsx'
import { OutcomeTable } from './outcome-table.tsx'

export function Standing(props: {
  readonly of: string
  readonly done: number
  readonly total: number
  readonly running?: number
  readonly outcomes: { readonly [outcome: string]: number }
  /** Whether assistive technology reads what changes; of a list that would be too much. */
  readonly announced?: boolean
}): JSX.Element {
  const { of, done, total, running = 0, outcomes, announced = false } = props
  return (
    <>
      <progress max={total} value={done} aria-label={`Runs of ${of} that are done`} />
      <span class="standing" role={announced ? 'status' : undefined}>
        {numberText(done)} of {countText(total, 'run')}
        {running > 0 && `, ${running} under way`}
        {Object.entries(outcomes)
          .filter(([, count]) => count > 0)
          .map(([outcome, count]) => (
            <ResultBadge key={outcome} result={outcome} word={`${count} ${outcome.replaceAll('_', ' ')}`} />
          ))}
      </span>
    </>
  )
}

/** What is known about an attack on a target. */
export interface MatrixCell {
  /** A run that can be watched, and what is said about it. */
  readonly running?: { readonly link: string; readonly text: ComponentChildren } | undefined
  /** The worst outcome so far. */
  readonly worst?: { readonly link: string; readonly outcome: Outcome } | undefined
  readonly done: number
  /** What is said where there is neither. */
  readonly otherwise: string
}

interface RunMatrixProps {
  readonly targets: readonly string[]
  readonly attacks: readonly { readonly file: string; readonly name: string }[]
  readonly trials: number
  /** Called while the cell is drawn, so that each cell follows its own signals. */
  readonly cellAt: (place: CellPlace) => MatrixCell
}

export function RunMatrix({ targets, attacks, trials, cellAt }: RunMatrixProps): JSX.Element {
  const { box, finds } = useSearch('Filter attacks')
  const rows = attacks.filter(({ file, name }) => finds(`${file} ${name}`))
  return (
    <section class="live" aria-label="Outcomes as they come">
      <div class="attack-tools">
        {box}
        <span class="muted" role="status">
          {countText(rows.length, 'attack')}
        </span>
      </div>
      <OutcomeTable
        label="Attacks by targets"
        columns={targets.map((target) => [target, <bdi key={target}>{shown(target)}</bdi>])}
        rows={rows.map(({ file, name }) => ({
          key: file,
          name,
          cells: targets.map((target) => <Cell key={target} {...{ target, file, trials, cellAt }} />),
        }))}
      />
    </section>
  )
}

function Cell(props: CellPlace & Pick<RunMatrixProps, 'trials' | 'cellAt'>): JSX.Element {
  const { target, file, trials, cellAt } = props
  const { running, worst, done, otherwise } = cellAt({ target, file })
  if (running === undefined && worst === undefined) return <td class="muted">{otherwise}</td>
  return (
    <td>
      {running !== undefined && (
        <a class="cell running" tabIndex={-1} href={running.link} title="Its messages as they come">
          {running.text}
        </a>
      )}{' '}
      {worst !== undefined && (
        <a class="cell" tabIndex={-1} href={worst.link} title="The messages of this run">
          <ResultBadge result={worst.outcome} />
        </a>
      )}
      {trials > 1 && <span class="muted">{` ${done} of ${trials}`}</span>}
    </td>
  )
}
