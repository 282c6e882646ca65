/** Components shared by views: errors, announcements, search, select, and lists or tables with arrow-key navigation. */
import { moveInGrid, plainText, ScrollBox, ScrolledText, SearchBox, shown, shownName } from '@joust/report/components'
import type { Result } from '@joust/source'
import { useSignal } from '@preact/signals'
import type { ComponentChildren, JSX } from 'preact'

/** Renders a response, its error, or a loading text. */
export function Answered<T>(props: {
  readonly answer: Result<T, { readonly message: string }> | undefined
  readonly children: (value: T) => JSX.Element
}): JSX.Element {
  const { answer, children } = props
  if (answer === undefined) return <Loading />
  return answer.ok ? children(answer.value) : <p class="empty">{shown(answer.error.message)}</p>
}

/** A loading text. It is a heading, because the page has no other heading while it loads. */
export function Loading(): JSX.Element {
  return <h1 class="empty loading">Loading …</h1>
}

/** An error message. Renders nothing if the text is empty. */
export function Fault({ text }: { readonly text: string }): JSX.Element | null {
  return text === '' ? null : (
    <p class="problem" role="alert">
      {shown(text)}
    </p>
  )
}

/** Scrollable text that is announced to assistive technology. */
export function AnnouncedText(props: {
  readonly text: string
  /** Accessible name of a text that is not an error. @default 'Problem' */
  readonly label?: string
  readonly good?: boolean
}): JSX.Element {
  const { text, label, good } = props
  return (
    <section aria-label={label ?? 'Problem'} aria-live={label === undefined ? 'assertive' : 'polite'}>
      <ScrolledText class={good === true ? 'problem proven' : 'problem'} text={text} />
    </section>
  )
}

/** Returns a search field, and a predicate for matching texts. */
export function useSearch(label: string): {
  readonly box: JSX.Element
  readonly finds: (text: string) => boolean
} {
  const query = useSignal('')
  return {
    box: <SearchBox label={label} text={query.value} onText={(text) => (query.value = text)} />,
    finds: (text) => text.toLowerCase().includes(query.value.toLowerCase()),
  }
}

export function Choice(props: {
  readonly label: string
  readonly value: string
  readonly options: readonly (readonly [value: string, text: string])[]
  readonly onChoose: (value: string) => void
}): JSX.Element {
  const { label, value, options, onChoose } = props
  return (
    <label>
      {label}{' '}
      <select value={value} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
        {options.map(([one, text]) => (
          <option key={one} value={one}>
            {plainText(text)}
          </option>
        ))}
      </select>
    </label>
  )
}

/** A scrollable box with a single tab stop. Arrow keys move between cells, which are identified by selectors. */
export function ArrowBox(props: {
  readonly class: string
  readonly label: string
  readonly row: string
  readonly cell: string
  readonly children: ComponentChildren
}): JSX.Element {
  const onKeyDown = (event: KeyboardEvent & { readonly currentTarget: HTMLElement }) => {
    const rows = [...event.currentTarget.querySelectorAll(props.row)]
      .map((row) => [...row.querySelectorAll<HTMLElement>(props.cell)])
      .filter((cells) => cells.length > 0)
    moveInGrid(event, rows)
  }
  return (
    <ScrollBox class={props.class} aria-label={`${props.label}; arrow keys move`} onKeyDown={onKeyDown}>
      {props.children}
    </ScrollBox>
  )
}

interface OutcomeTableProps {
  readonly label: string
  /** Keys and headers of all columns except the first. */
  readonly columns: readonly (readonly [key: string, head: ComponentChildren])[]
  readonly rows: readonly {
    readonly key: string
    readonly name: string
    readonly link?: string
    readonly notes?: ComponentChildren
    readonly action?: ComponentChildren
    /** One `td` per column. Arrow keys move between elements with the class `cell`. */
    readonly cells: ComponentChildren
  }[]
  readonly class?: string
}

export function OutcomeTable({ label, columns, rows, class: more = '' }: OutcomeTableProps): JSX.Element {
  const hasActions = rows.some(({ action }) => action !== undefined)
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
            {hasActions && <td />}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, name, link, notes, action, cells }) => (
            <tr key={key}>
              <th scope="row">
                {link === undefined ? (
                  shownName(name)
                ) : (
                  <a class="cell" tabIndex={-1} href={link}>
                    {shownName(name)}
                  </a>
                )}{' '}
                {notes}
              </th>
              {cells}
              {hasActions && <td>{action}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </ArrowBox>
  )
}
