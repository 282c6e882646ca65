/** A search field, and scrollable boxes that can be focused with the keyboard. */
import type { HTMLAttributes, JSX, RefObject } from 'preact'
import { shown } from './text.tsx'

export function SearchBox(props: {
  readonly label: string
  readonly text: string
  readonly onText: (text: string) => void
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
  // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable elements must be focusable by keyboard
  return <section tabIndex={0} ref={element ?? null} {...attributes} />
}

/** Shows untrusted multi-line text. */
export function ScrolledText({ text, class: name }: { readonly text: string; readonly class: string }): JSX.Element {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable elements must be focusable by keyboard
    <pre class={name} tabIndex={0}>
      {shown(text)}
    </pre>
  )
}
