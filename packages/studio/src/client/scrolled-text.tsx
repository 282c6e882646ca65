/** Text that may be long, in a box that scrolls and is reached with the keyboard. */
import { shown } from '@joust/report/components'
import type { JSX } from 'preact'

interface ScrolledTextProps {
  readonly text: string
  readonly class: string
  readonly label: string
  /** Whether assistive technology is told when it appears. */
  readonly alert?: boolean
}

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
