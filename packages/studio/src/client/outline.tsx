/** The outline of a file, and the references to a name. */
import type { FileSpan, OutlineItem } from '@joust/language'
import { shown, shownName } from '@joust/report/components'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { OpenFile } from './open-file.ts'

export function Outline(props: {
  readonly items: readonly OutlineItem[]
  readonly cursor: number
  readonly onGo: (offset: number) => void
}): JSX.Element {
  const { items, cursor, onGo } = props
  const isIn = ({ range, children }: OutlineItem): boolean =>
    cursor >= range.start && cursor < range.end && !children.some(isIn)
  return (
    <ul>
      {items.map((item) => (
        <li key={item.range.start}>
          <button type="button" class="plain" aria-current={isIn(item)} onClick={() => onGo(item.selection.start)}>
            {shownName(item.name)} <span class="muted">{shown(item.detail ?? item.kind)}</span>
          </button>
          {item.children.length > 0 && <Outline items={item.children} cursor={cursor} onGo={onGo} />}
        </li>
      ))}
    </ul>
  )
}

/** A list of references to a name. Selecting a reference may open another file. */
export function Places(props: {
  readonly places: readonly FileSpan[]
  readonly file: OpenFile
  readonly onGo: (place: FileSpan) => void
  readonly onClose: () => void
}): JSX.Element {
  const { places, file, onGo, onClose } = props
  const text = file.text.value
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => list.current?.querySelector('button')?.focus(), [places])
  return (
    <section class="problems" aria-label="References">
      <p class="places-head">
        <b>{places.length === 1 ? '1 reference' : `${places.length} references`}</b>
        <button type="button" class="fix" onClick={onClose}>
          Close
        </button>
      </p>
      <ul ref={list}>
        {places.map((place) => (
          <li key={`${place.name} ${place.start}`}>
            <button type="button" class="plain" onClick={() => onGo(place)}>
              {place.name === file.path ? (
                <>
                  <span class="number">{text.slice(0, place.start).split('\n').length}</span>{' '}
                  {shown(lineAt(text, place.start))}
                </>
              ) : (
                shownName(place.name)
              )}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function lineAt(text: string, offset: number): string {
  const end = text.indexOf('\n', offset)
  return text.slice(text.lastIndexOf('\n', offset - 1) + 1, end < 0 ? undefined : end).trim()
}
