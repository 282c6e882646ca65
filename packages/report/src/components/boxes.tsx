/** Boxes that several parts have: one to search with, and those that scroll, which the keyboard must reach. */
import type { HTMLAttributes, JSX, RefObject } from 'preact'
import { shown } from './text.tsx'

/** A box whose words narrow a list as they are typed. */
export function SearchBox(props: {
  readonly label: string
  readonly text: string
  readonly onText: (text: string) => void
  /** The key that leads to it. */
  readonly shortcut?: string
}): JSX.Element {
  const { label, text, onText, shortcut } = props
  return (
    <input
      type="search"
      placeholder={label}
      aria-label={label}
      aria-keyshortcuts={shortcut}
      value={text}
      onInput={({ currentTarget }) => onText(currentTarget.value)}
    />
  )
}

type ScrollBoxProps = HTMLAttributes<HTMLElement> & { readonly element?: RefObject<HTMLElement | null> }

export function ScrollBox({ element, ...attributes }: ScrollBoxProps): JSX.Element {
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached with the keyboard
  return <section tabIndex={0} ref={element ?? null} {...attributes} />
}

/** Foreign text of several lines. */
export function ScrolledText({ text, class: name }: { readonly text: string; readonly class: string }): JSX.Element {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached with the keyboard
    <pre class={name} tabIndex={0}>
      {shown(text)}
    </pre>
  )
}
