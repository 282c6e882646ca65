/** Attacks by targets while a suite runs: each cell follows its own signal. */
import { worstOf } from '@joust/arena'
import { plainText, ResultBadge } from '@joust/report/components'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import type { PlannedAttack } from '../model/api.ts'
import { SearchBox } from './controls.tsx'
import { cellOf, type LiveSuite, runOf } from './live-suite.ts'
import { counted } from './numbers.ts'
import { OutcomeTable, targetColumns } from './outcome-table.tsx'

interface LiveMatrixProps {
  readonly suite: LiveSuite
  readonly planned: {
    readonly targets: readonly string[]
    readonly attacks: readonly PlannedAttack[]
    readonly trials: number
  }
  /** Opens a run: target, file, trial. */
  readonly onOpen: (words: readonly string[]) => void
}

export function LiveMatrix({ suite, planned, onOpen }: LiveMatrixProps): JSX.Element {
  const search = useSignal('')
  const wanted = search.value.toLowerCase()
  const rows = planned.attacks.filter(({ file, attack }) => `${file} ${attack.name}`.toLowerCase().includes(wanted))
  return (
    <section class="live" aria-label="Outcomes as they come">
      <div class="attack-tools">
        <SearchBox label="Filter attacks" text={search} />
        <span class="muted" role="status">
          {counted(rows.length, 'attack')}
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
  const { running, trials: done } = cellOf(suite, target, file).value
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

function Messages({
  suite,
  place,
}: {
  readonly suite: LiveSuite
  readonly place: Parameters<typeof runOf>[1]
}): JSX.Element {
  return <>{counted(runOf(suite, place).trace.value.messages.length, 'message')}</>
}
