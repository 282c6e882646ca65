/** A list that renders only its visible rows. The pane around it or the page scrolls. */
import { useSignal } from '@preact/signals'
import type { ComponentChildren, HTMLAttributes, JSX, RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

/** Row offsets of navigation keys. */
export const ROW_STEPS: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 10,
  PageUp: -10,
  Home: -1e9,
  End: 1e9,
}

/** Number of rows rendered above and below the visible rows. */
const SPARE = 8

/** Maximum number of rows in a printed list. */
const PRINTED = 2000

/** The row to scroll to. Passing a new object scrolls again. */
export interface Reveal {
  readonly row: number
  /** True to scroll the pane until the row is near the top. The page is not scrolled. */
  readonly isInitial?: boolean
}

interface VirtualListProps {
  /** Element that scrolls on a wide screen; on a narrow one, the page scrolls. */
  readonly pane: RefObject<HTMLElement | null>
  readonly head: RefObject<HTMLElement | null>
  /** The panel that covers the lower rows. */
  readonly foot?: RefObject<HTMLElement | null> | undefined
  readonly count: number
  readonly height: number
  readonly reveal: Reveal | undefined
  readonly active: { readonly row: number; readonly id: string } | undefined
  readonly draw: (row: number) => ComponentChildren
  /** Called with the first visible row. */
  readonly onFirst: (row: number) => void
  readonly attributes: HTMLAttributes<HTMLDivElement>
}

export function VirtualList(props: VirtualListProps): JSX.Element {
  const { count, height, reveal, active, draw, attributes } = props
  const element = useRef<HTMLDivElement>(null)
  const range = useSignal({ from: 0, to: Math.min(count, 4 * SPARE) })
  // The listeners outlive a single render.
  const latest = useRef(props)
  latest.current = props
  const update = () => {
    const { current } = element
    if (current === null) return
    const { top, bottom } = visibleArea(latest.current)
    const start = current.getBoundingClientRect().top
    const from = Math.max(0, Math.floor((top - start) / height) - SPARE)
    const to = Math.max(from, Math.ceil((bottom - start) / height) + SPARE)
    if (from !== range.peek().from || to !== range.peek().to) range.value = { from, to }
    const first = Math.max(0, Math.floor((top - start) / height))
    latest.current.onFirst(Math.min(Math.max(0, latest.current.count - 1), first))
  }
  const printAll = () => (range.value = { from: 0, to: Math.min(latest.current.count, PRINTED) })
  useLayoutEffect(() => follow(update, printAll), [])
  useLayoutEffect(update, [count])
  useLayoutEffect(() => {
    if (reveal === undefined || element.current === null) return
    scrollTo(latest.current, element.current, reveal)
    update()
  }, [reveal])
  const { from, to } = range.value
  const rows = Array.from({ length: Math.max(0, Math.min(count, to) - from) }, (_, index) => from + index)
  // aria-activedescendant must refer to an existing element.
  const activeId = active !== undefined && rows.includes(active.row) ? active.id : undefined
  return (
    <div
      {...attributes}
      class="virtual"
      ref={element}
      role="listbox"
      tabIndex={0}
      aria-activedescendant={activeId}
      style={{ height: `${count * height}px` }}
    >
      {rows.map(draw)}
    </div>
  )
}

function scrollTo(props: VirtualListProps, element: HTMLElement, { row, isInitial }: Reveal): void {
  const { top, bottom } = visibleArea(props)
  const { height, pane } = props
  const at = element.getBoundingClientRect().top + row * height
  const scroller = scrollerOf(pane.current)
  if (isInitial === true) {
    if (scroller === pane.current && scroller !== null) scroller.scrollTop += at - top - 2 * height
    return
  }
  const over = at < top ? at - top - 2 * height : at + height > bottom ? at + 3 * height - bottom : 0
  if (over !== 0 && scroller !== null) scroller.scrollTop += over
}

/** Returns the vertical range of the visible area, in pixels relative to the window. */
function visibleArea({ pane, head, foot }: VirtualListProps): { top: number; bottom: number } {
  const box = pane.current?.getBoundingClientRect() ?? { top: 0, bottom: 0 }
  const below = foot?.current?.getBoundingClientRect()
  const covers = below !== undefined && below.left < 1 && below.height > 0
  const bottom = Math.min(window.innerHeight, box.bottom, covers ? below.top : Number.POSITIVE_INFINITY)
  return { top: Math.max(0, box.top) + (head.current?.offsetHeight ?? 0), bottom }
}

function scrollerOf(pane: HTMLElement | null): Element | null {
  if (pane === null) return document.scrollingElement
  const { overflowY } = getComputedStyle(pane)
  const scrolls = overflowY === 'auto' || overflowY === 'scroll'
  return scrolls ? pane : document.scrollingElement
}

/** Follows scrolling, resizing and printing, with at most one update per frame. Returns a function that stops this. */
function follow(update: () => void, printAll: () => void): () => void {
  let frame = 0
  const request = () => {
    if (frame !== 0) return
    frame = requestAnimationFrame(() => {
      frame = 0
      update()
    })
  }
  document.addEventListener('scroll', request, true)
  window.addEventListener('resize', request)
  window.addEventListener('beforeprint', printAll)
  window.addEventListener('afterprint', request)
  request()
  return () => {
    cancelAnimationFrame(frame)
    document.removeEventListener('scroll', request, true)
    window.removeEventListener('resize', request)
    window.removeEventListener('beforeprint', printAll)
    window.removeEventListener('afterprint', request)
  }
}
