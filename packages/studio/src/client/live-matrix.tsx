/** Attacks by targets while a suite runs: each cell follows its own signal. */
import { worstOf } from '@joust/arena'
import { ResultBadge, shown } from '@joust/report/components'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import type { PlannedAttack } from '../model/api.ts'
import { cellOf, type LiveSuite, runOf } from './live-suite.ts'
import { counted } from './numbers.ts'

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
        <input
          type="search"
          placeholder="Filter attacks"
          aria-label="Filter attacks"
          value={search.value}
          onInput={({ currentTarget }) => (search.value = currentTarget.value)}
        />
        <span class="muted" role="status">
          {counted(rows.length, 'attack')}
        </span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached with the keyboard */}
      <section class="live-frame" tabIndex={0} aria-label="All outcomes; arrow keys move" onKeyDown={onKeys}>
        <table class="live-matrix" aria-label="Attacks by targets">
          <thead>
            <tr>
              <th scope="col">Attack</th>
              {planned.targets.map((target) => (
                <th scope="col" key={target}>
                  <bdi>{shown(target)}</bdi>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ file, attack }) => (
              <tr key={file}>
                <th scope="row">
                  <bdi>{shown(attack.name)}</bdi>
                </th>
                {planned.targets.map((target) => (
                  <Cell key={target} {...{ suite, target, file, onOpen }} trials={planned.trials} name={attack.name} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  )
}

const moves: Readonly<Record<string, readonly [down: number, right: number]>> = {
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
}

/** From cell to cell; the frame is one stop of Tab, and the first arrow goes to its first cell. */
function onKeys(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  const move = event.altKey || event.ctrlKey || event.metaKey ? undefined : moves[event.key]
  if (move === undefined) return
  const rows = [...event.currentTarget.querySelectorAll('tbody tr')]
    .map((row) => [...row.querySelectorAll<HTMLElement>('.cell')])
    .filter((cells) => cells.length > 0)
  const { target } = event
  if (!(target instanceof HTMLElement)) return
  const row = rows.findIndex((cells) => cells.includes(target))
  const column = rows[row]?.indexOf(target) ?? 0
  const next = row < 0 ? rows[0]?.[0] : rows[row + move[0]]?.[column + move[1]]
  if (next === undefined) return
  event.preventDefault()
  next.focus()
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
        title={name}
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
