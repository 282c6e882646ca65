/** The first page: the headlines of all targets, then the matrix and its filters. */
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { CoverageTable } from './coverage.tsx'
import type { AttackPlace, ReportRun } from './data.ts'
import { FilterBar } from './filter-bar.tsx'
import { FlowTable } from './flows.tsx'
import { Headline } from './headline.tsx'
import { Note } from './icons.tsx'
import { Matrix } from './matrix.tsx'
import { type Filter, isShown, matrixRows, noFilter, sortRows } from './matrix-rows.ts'
import { useIsPainted } from './painted.ts'
import { targetNames } from './target-names.ts'
import { plainText } from './text.tsx'
import { countText } from './words.ts'

export function Overview(props: {
  readonly runs: readonly ReportRun[]
  readonly notes: readonly string[]
  readonly filter: Filter
  readonly onFilter: (filter: Filter) => void
  readonly linkTo: (place: AttackPlace) => string
  readonly linkToFilter: (filter: Filter) => string
}): JSX.Element {
  const { runs, notes, filter, onFilter, linkTo, linkToFilter } = props
  // Only the matrix follows the filters, because there may be thousands of attacks.
  const names = useMemo(() => targetNames(runs), [runs])
  const rows = useMemo(() => matrixRows(runs), [runs])
  const isPainted = useIsPainted()
  const tables = useMemo(
    () =>
      isPainted && (
        <>
          <FlowTable runs={runs} />
          <CoverageTable runs={runs} />
        </>
      ),
    [runs, isPainted],
  )
  const isFiltered = JSON.stringify({ ...filter, sort: '' }) !== JSON.stringify({ ...noFilter, sort: '' })
  const visible = sortRows(isFiltered ? rows.filter((row) => isShown(row, filter)) : rows, filter.sort)
  const total = countText(rows.length, 'attack')
  return (
    <div class="overview">
      <h1 class="visually-hidden">Results</h1>
      <div class={runs.length > 1 ? 'run-heads several' : 'run-heads'}>
        {runs.map((run, place) => (
          <Headline
            key={names[place]}
            run={run}
            name={names[place] ?? ''}
            linkTo={(outcome) =>
              linkToFilter({ ...noFilter, target: runs.length > 1 ? String(place) : '', outcomes: [outcome] })
            }
          />
        ))}
      </div>
      {notes.map((note) => (
        <Note key={note}>{plainText(note)}</Note>
      ))}
      <FilterBar rows={rows} names={names} filter={filter} onFilter={onFilter} />
      <p class="shown muted" role="status">
        {visible.length === rows.length
          ? total
          : visible.length === 0
            ? `None of ${total} matches these filters. `
            : `${visible.length} of ${total}`}
        {isFiltered && (
          <button type="button" class="plain clear" onClick={() => onFilter({ ...noFilter, sort: filter.sort })}>
            Clear filters
          </button>
        )}
      </p>
      <Matrix
        names={names}
        rows={visible}
        sort={filter.sort}
        onSort={(sort) => onFilter({ ...filter, sort })}
        linkTo={linkTo}
      />
      {tables}
    </div>
  )
}
