/** Boxes of several views: a fault, a text that may be long, a search, a choice, a list or table with arrow keys. */
import { moveInGrid, plainText, ScrollBox, ScrolledText, SearchBox, shown, shownName } from '@joust/report/components'
import type { Result } from '@joust/source'
import { useSignal } from '@preact/signals'
import type { ComponentChildren, JSX } from 'preact'

/** What is made of an answer; until it is there, that it is awaited, or why there is none. */
export function Answered<T>(props: {
  readonly answer: Result<T, { readonly message: string }> | undefined
  readonly children: (value: T) => JSX.Element
}): JSX.Element {
  const { answer, children } = props
  if (answer === undefined) return <p class="empty muted">Reading …</p>
  return answer.ok ? children(answer.value) : <p class="empty">{shown(answer.error.message)}</p>
}

/** What went wrong, in a sentence; nothing where it is empty. */
export function Fault({ text }: { readonly text: string }): JSX.Element | null {
  return text === '' ? null : (
    <p class="problem" role="alert">
      {shown(text)}
    </p>
  )
}

/** A text that may be long, which assistive technology reads when it appears: what is wrong, or what was done. */
export function AnnouncedText(props: {
  readonly text: string
  /** What it is, where it is not a problem. */
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

/** A box to search with, and whether a text has what was typed into it. */
export function useSearch(label: string): {
  readonly box: JSX.Element
  readonly finds: (text: string) => boolean
} {
  const typed = useSignal('')
  return {
    box: <SearchBox label={label} text={typed.value} onText={(text) => (typed.value = text)} />,
    finds: (text) => text.toLowerCase().includes(typed.value.toLowerCase()),
  }
}

/** One of several values, each with the text that is shown for it. */
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

/** A box that scrolls, a single tab stop; arrow keys move between the cells of its rows, given by selectors. */
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

/** A table of outcomes in a frame that scrolls. */
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
