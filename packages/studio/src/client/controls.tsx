/** Controls that several views use. */
import { shown, stepInGrid } from '@joust/report/components'
import type { Signal } from '@preact/signals'
import type { ComponentChildren, JSX } from 'preact'

interface ScrolledTextProps {
  readonly text: string
  readonly class: string
  readonly label: string
  /** Whether assistive technology is told when it appears. */
  readonly alert?: boolean
}

/** Text that may be long, in a box that scrolls and can be reached with the keyboard. */
export function ScrolledText({ text, class: name, label, alert }: ScrolledTextProps): JSX.Element {
  return (
    <section aria-label={label} aria-live={alert === true ? 'assertive' : 'polite'}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached with the keyboard */}
      <pre class={name} tabIndex={0}>
        {shown(text)}
      </pre>
    </section>
  )
}

/** A box whose words narrow a list as they are typed. */
export function SearchBox({ label, text }: { readonly label: string; readonly text: Signal<string> }): JSX.Element {
  return (
    <input
      type="search"
      placeholder={label}
      aria-label={label}
      value={text.value}
      onInput={({ currentTarget }) => (text.value = currentTarget.value)}
    />
  )
}

/** Arrow keys inside a single tab stop: the first press goes to the first row, further ones from cell to cell. */
export function moveAmong(event: KeyboardEvent, rows: readonly (readonly HTMLElement[])[]): void {
  const { target, key } = event
  if (!(target instanceof HTMLElement) || event.altKey || event.ctrlKey || event.metaKey) return
  const row = rows.findIndex((cells) => cells.includes(target))
  const next =
    row < 0 && key.startsWith('Arrow') ? rows[0]?.[0] : stepInGrid(rows, row, rows[row]?.indexOf(target) ?? 0, key)
  if (next === undefined) return
  event.preventDefault()
  next.focus()
}

/** A list that scrolls and is a single tab stop; arrow keys move between the elements that match the selector. */
export function ArrowList(props: {
  readonly class: string
  readonly label: string
  readonly selector: string
  readonly children: ComponentChildren
}): JSX.Element {
  const onKeys = (event: KeyboardEvent & { readonly currentTarget: HTMLElement }) => {
    const found = event.currentTarget.querySelectorAll<HTMLElement>(props.selector)
    const rows = [...found].map((one) => [one])
    moveAmong(event, rows)
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached with the keyboard
    <section class={props.class} tabIndex={0} aria-label={`${props.label}; arrow keys move`} onKeyDown={onKeys}>
      {props.children}
    </section>
  )
}
