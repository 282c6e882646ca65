/** The matrix of attacks and targets: a table with arrow-key navigation. */
import { isSuspicious, type Ranked, statisticsOf } from '@joust/results'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import type { AttackPlace } from './data.ts'
import { successText, TrialStrip } from './figures.tsx'
import { ResultBadge, SeverityBadge } from './icons.tsx'
import { type Cell, type Row, sortBy, stoppedBy } from './matrix-rows.ts'
import { useIsPainted } from './painted.ts'
import { shown, shownName } from './text.tsx'
import { ROW_STEPS } from './virtual-list.tsx'
import { wordFor } from './words.ts'

/** Number of rows rendered initially. */
const FIRST_ROWS = 100
/** Number of rows rendered in the first frame. These rows fill more than a screen. */
const FIRST_SCREEN = 16

/** Columns before the target columns, with their initial sort direction. */
const COLUMNS = [
  ['name', 'Attack', 'ascending'],
  ['severity', 'Severity', 'descending'],
  ['category', 'Category', 'ascending'],
  ['protocol', 'Protocol', 'ascending'],
  ['stopper', 'Stopped by', 'ascending'],
] as const

interface MatrixProps {
  readonly names: readonly string[]
  readonly rows: readonly Row[]
  readonly sort: string
  readonly onSort: (sort: string) => void
  readonly linkTo: (place: AttackPlace) => string
}

export function Matrix({ names, rows, sort, onSort, linkTo }: MatrixProps): JSX.Element {
  const all = useSignal(false)
  const isPainted = useIsPainted()
  const visibleRows = all.value ? rows : rows.slice(0, isPainted ? FIRST_ROWS : FIRST_SCREEN)
  const head = (key: string, name: string, first: 'ascending' | 'descending', kind = key) => (
    <SortHead key={key} column={key} name={name} first={first} kind={kind} sort={sort} onSort={onSort} />
  )
  return (
    <div class="matrix-frame">
      <table
        class={names.length > 1 ? 'matrix several-targets' : 'matrix one-target'}
        aria-label="Outcomes: attacks by targets"
        aria-rowcount={rows.length + 1}
        onKeyDown={gridKeys}
      >
        <thead>
          <tr>
            {COLUMNS.map(([key, name, first]) => head(key, name, first))}
            {names.map((name, run) => head(String(run), name, 'descending', 'target'))}
          </tr>
        </thead>
        <tbody>
          {visibleRows.map((row, place) => (
            <MatrixRow key={row.key} row={row} first={place === 0} linkTo={linkTo} />
          ))}
        </tbody>
      </table>
      {isPainted && rows.length > visibleRows.length && (
        <button type="button" onClick={() => (all.value = true)}>
          Show all {rows.length} attacks
        </button>
      )}
    </div>
  )
}

function SortHead(props: {
  readonly column: string
  readonly name: string
  readonly first: 'ascending' | 'descending'
  readonly kind: string
  readonly sort: string
  readonly onSort: (sort: string) => void
}): JSX.Element {
  const { column, name, first, kind, sort, onSort } = props
  const other = first === 'ascending' ? 'descending' : 'ascending'
  const way = sort === column ? first : sort === `-${column}` ? other : undefined
  return (
    <th scope="col" class={`col-${kind}`} aria-sort={way}>
      <button type="button" class="plain" onClick={() => onSort(sortBy(column, sort))}>
        {shownName(name)}
        <span class="sorted" aria-hidden="true">
          {way === undefined ? '' : way === 'ascending' ? '▴' : '▾'}
        </span>
      </button>
    </th>
  )
}

interface MatrixRowProps {
  readonly row: Row
  readonly first: boolean
  readonly linkTo: (place: AttackPlace) => string
}

function MatrixRow({ row, first, linkTo }: MatrixRowProps): JSX.Element {
  const { attack, file } = row.first
  const stopped = stoppedBy(row).map(wordFor).join(', ')
  const firstCell = row.cells.find((cell) => cell !== undefined)
  return (
    <tr>
      <th scope="row" class="col-name">
        {firstCell !== undefined && (
          // Tab reaches one link; arrow keys reach the others from there.
          <a href={linkTo(placeOf(firstCell))} class="attack-name" tabIndex={first ? 0 : -1}>
            {shownName(attack.name)}
          </a>
        )}
        <span class="attack-id">{shown(attack.id ?? file)}</span>
      </th>
      <td class="col-severity">
        <SeverityBadge severity={attack.severity} />
      </td>
      <td class="col-category">{attack.category === undefined ? '–' : wordFor(attack.category)}</td>
      <td class="col-protocol">{shown(attack.protocols.map(wordFor).join(', '))}</td>
      <td class={stopped === '' ? 'col-stopper not-stopped' : 'col-stopper'}>{stopped || '–'}</td>
      {row.cells.map((cell, run) => (
        <td class="col-target" key={run}>
          {cell === undefined ? <span class="muted">not run</span> : <Outcome cell={cell} linkTo={linkTo} />}
        </td>
      ))}
    </tr>
  )
}

function Outcome({ cell, linkTo }: { readonly cell: Cell; readonly linkTo: MatrixRowProps['linkTo'] }): JSX.Element {
  const { attack } = cell
  const tier = attack.tier
  const rate = successText(statisticsOf(attack))
  return (
    <a href={linkTo(placeOf(cell))} class="verdict" tabIndex={-1}>
      <span class="verdict-head">
        <ResultBadge result={attack.outcome} />
        {tier !== undefined && <span class="tier">{wordFor(tier)}</span>}
      </span>
      <span class="verdict-more">
        {rate !== '' && <span class="number">{rate}</span>}
        <TrialStrip trials={attack.trials} />
      </span>
    </a>
  )
}

/** Returns the trial that a link opens: the first trial that has the outcome of the attack. */
function placeOf({ attack, run, place }: Cell): AttackPlace {
  const isSame = (one: Ranked) =>
    one.outcome === attack.outcome && one.tier === attack.tier && isSuspicious(one) === isSuspicious(attack)
  return { run, attack: place, trial: Math.max(0, attack.trials.findIndex(isSame)) }
}

/** Handles arrow keys in a table of links. Tab reaches only one link. */
function gridKeys(event: KeyboardEvent & { readonly currentTarget: HTMLTableElement }): void {
  const { target, currentTarget: table } = event
  // The column headers are buttons and not part of the grid.
  if (!(target instanceof HTMLAnchorElement)) return
  const rows = [...table.tBodies].flatMap((body) => [...body.rows]).map((row) => [...row.querySelectorAll('a')])
  const next = moveInGrid(event, rows)
  if (next === undefined) return
  for (const link of table.querySelectorAll('tbody a')) link.setAttribute('tabindex', link === next ? '0' : '-1')
}

/** Moves the focus in a grid with an arrow key, initially to the first element. Returns the new focus, if any. */
export function moveInGrid(event: KeyboardEvent, rows: readonly (readonly HTMLElement[])[]): HTMLElement | undefined {
  const { target, key } = event
  if (!(target instanceof HTMLElement) || event.altKey || event.ctrlKey || event.metaKey) return undefined
  const row = rows.findIndex((elements) => elements.includes(target))
  const next =
    row < 0 && key.startsWith('Arrow') ? rows[0]?.[0] : stepInGrid(rows, row, rows[row]?.indexOf(target) ?? 0, key)
  if (next === undefined) return undefined
  event.preventDefault()
  next.focus()
  return next
}

/** Returns the cell that a key moves to, if any. */
export function stepInGrid<T>(
  rows: readonly (readonly T[])[],
  row: number,
  column: number,
  key: string,
): T | undefined {
  const at = (number: number) => {
    const cells = rows[Math.max(0, Math.min(rows.length - 1, number))]
    return cells?.[Math.min(column, cells.length - 1)]
  }
  const by = ROW_STEPS[key]
  if (by !== undefined) return at(row + by)
  if (key === 'ArrowRight') return rows[row]?.[column + 1]
  if (key === 'ArrowLeft') return rows[row]?.[column - 1]
  return undefined
}
