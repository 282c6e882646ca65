/** A table of outcomes in a frame that scrolls: a single tab stop, and arrow keys move from cell to cell. */
import { shownName } from '@joust/report/components'
import type { ComponentChildren, JSX } from 'preact'
import { ArrowBox } from './boxes.tsx'

interface OutcomeTableProps {
  readonly label: string
  /** The heads of the columns after the first, by key. */
  readonly columns: readonly (readonly [key: string, head: ComponentChildren])[]
  readonly rows: readonly {
    readonly key: string
    /** The name of the attack. */
    readonly name: string
    readonly link?: string
    /** A `td` for each column; arrow keys move between their elements of the class `cell`. */
    readonly cells: ComponentChildren
  }[]
  readonly class?: string
}

export function OutcomeTable({ label, columns, rows, class: more = '' }: OutcomeTableProps): JSX.Element {
  return (
    <ArrowBox class="live-frame" label={label} row="tbody tr" cell=".cell">
      <table class={`live-matrix ${more}`} aria-label={label}>
        <thead>
          <tr>
            <th scope="col">Attack</th>
            {columns.map(([key, head]) => (
              <th scope="col" key={key}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, name, link, cells }) => (
            <tr key={key}>
              <th scope="row">
                {link === undefined ? (
                  shownName(name)
                ) : (
                  <a class="cell" tabIndex={-1} href={link}>
                    {shownName(name)}
                  </a>
                )}
              </th>
              {cells}
            </tr>
          ))}
        </tbody>
      </table>
    </ArrowBox>
  )
}
