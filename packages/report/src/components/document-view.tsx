/** An attack document with the lines of its indicators highlighted. */
import type { JSX } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { ScrollBox } from './boxes.tsx'
import { shown } from './text.tsx'

/** Maximum number of lines shown around the requested line. */
const MOST_LINES = 2000

export function DocumentView(props: {
  readonly text: string
  /** Notes by line number, starting at 1. */
  readonly marks: ReadonlyMap<number, string>
  /** Line to scroll to. */
  readonly line?: number | undefined
}): JSX.Element {
  const { text, marks, line } = props
  const element = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const target = element.current?.querySelector(line === undefined ? '.line-marked' : `[data-line="${line}"]`)
    if (target instanceof HTMLElement && element.current !== null)
      element.current.scrollTop = Math.max(0, target.offsetTop - element.current.clientHeight / 3)
  }, [text, line])
  const lines = text.replace(/\n$/, '').split('\n')
  const first = Math.max(0, Math.min((line ?? 1) - MOST_LINES / 2, lines.length - MOST_LINES))
  return (
    <ScrollBox class="document" aria-label="Document" element={element}>
      <ol start={first + 1}>
        {lines.slice(first, first + MOST_LINES).map((one, place) => {
          const number = first + place + 1
          const note = marks.get(number)
          return (
            <li
              key={number}
              data-line={number}
              class={[note !== undefined && 'line-marked', number === line && 'line-current'].filter(Boolean).join(' ')}
            >
              <span class="line-number" aria-hidden="true">
                {number}
              </span>
              <code>{shown(one)}</code>
              {note !== undefined && <span class="line-note">{shown(note)}</span>}
            </li>
          )
        })}
      </ol>
    </ScrollBox>
  )
}
