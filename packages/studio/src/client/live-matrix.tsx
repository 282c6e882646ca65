/** Attacks by targets while a suite runs: each cell follows its own signal. */
import { worstOf } from '@joust/arena'
import { countText, plainText, ResultBadge } from '@joust/report/components'
import type { JSX } from 'preact'
import type { PlannedSuite, RunPlace } from '../model/api.ts'
import { useSearch } from './boxes.tsx'
import { cellOf, type LiveSuite, runOf } from './live-suite.ts'
import { OutcomeTable, targetColumns } from './outcome-table.tsx'

interface LiveMatrixProps {
  readonly suite: LiveSuite
  readonly planned: PlannedSuite
  /** Opens a run: target, file, trial. */
  readonly onOpen: (words: readonly string[]) => void
}

export function LiveMatrix({ suite, planned, onOpen }: LiveMatrixProps): JSX.Element {
  const { box, finds } = useSearch('Filter attacks')
  const rows = planned.attacks.filter(({ file, attack }) => finds(`${file} ${attack.name}`))
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
        columns={targetColumns(planned.targets)}
        rows={rows.map(({ file, attack: { name } }) => ({
          key: file,
          name,
          cells: planned.targets.map((target) => (
            <Cell key={target} {...{ suite, target, file, name, onOpen }} trials={planned.trials} />
          )),
        }))}
      />
    </section>
  )
}

function Cell(props: {
  readonly suite: LiveSuite
  readonly target: string
  readonly file: string
  readonly trials: number
  readonly name: string
  readonly onOpen: LiveMatrixProps['onOpen']
}): JSX.Element {
  const { suite, target, file, trials, name, onOpen } = props
  const { running, trials: done } = cellOf(suite, { target, file }).value
  const trial = running[0] ?? done.at(-1)?.trial
  if (trial === undefined) return <td class="muted">{suite.end.value === undefined ? 'waits' : 'not run'}</td>
  const worst = worstOf(done)
  return (
    <td>
      <button
        type="button"
        class="plain cell"
        tabIndex={-1}
        onClick={() => onOpen([target, file, String(trial)])}
        title={plainText(name)}
      >
        {running.length > 0 ? (
          <span class="running">
            running, <Messages suite={suite} place={{ target, file, trial }} />
          </span>
        ) : (
          worst !== undefined && <ResultBadge result={worst.outcome} />
        )}
        {trials > 1 && (
          <span class="muted">
            {done.length} of {trials}
          </span>
        )}
      </button>
    </td>
  )
}

function Messages({ suite, place }: { readonly suite: LiveSuite; readonly place: RunPlace }): JSX.Element {
  return <>{countText(runOf(suite, place).trace.value.messages.length, 'message')}</>
}
