/** Controls that several views use. */
import { shown } from '@joust/report/components'
import type { Signal } from '@preact/signals'
import type { JSX } from 'preact'

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
