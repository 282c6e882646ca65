/** A list of which only the rows in sight are there, whoever scrolls: the pane around it or the page. */
import { h } from './dom.js'

/**
 * @typedef {object} VirtualList
 * @property {HTMLElement} element
 * @property {(count: number) => void} reset another number of rows, all drawn anew
 * @property {() => void} refresh draws the rows in sight anew
 * @property {(row: number) => void} reveal scrolls until a row is in sight
 * @property {() => number} first the first row in sight
 */

/** Rows drawn above and below those in sight. */
const SPARE = 8

/**
 * @param {object} options
 * @param {HTMLElement} options.pane what scrolls, where there is room; otherwise the page does
 * @param {HTMLElement} options.head what sticks above the rows
 * @param {number} options.height of a row
 * @param {(row: number) => HTMLElement} options.draw
 * @param {(first: number) => void} options.onScroll
 * @param {Record<string, string>} options.attributes
 * @returns {VirtualList}
 */
export function createVirtualList({ pane, head, height, draw, onScroll, attributes }) {
  const element = h('div', { class: 'virtual', ...attributes })
  /** @type {Map<number, HTMLElement>} */
  const drawn = new Map()
  let count = 0
  let first = -1

  const update = () => {
    const { top, bottom } = sightOf(pane, head)
    const start = element.getBoundingClientRect().top
    const from = Math.max(0, Math.floor((top - start) / height) - SPARE)
    const to = Math.min(count, Math.max(from, Math.ceil((bottom - start) / height) + SPARE))
    for (const [row, node] of drawn) {
      if (row >= from && row < to) continue
      node.remove()
      drawn.delete(row)
    }
    for (let row = from; row < to; row++) if (!drawn.has(row)) add(row)
    const seen = Math.min(Math.max(0, count - 1), Math.max(0, Math.floor((top - start) / height)))
    if (seen === first) return
    first = seen
    onScroll(first)
  }
  const add = (/** @type {number} */ row) => {
    const node = draw(row)
    node.style.top = `${row * height}px`
    drawn.set(row, node)
    // In order, so that what reads the page reads it in order.
    let next = row + 1
    while (next < row + 200 && !drawn.has(next)) next++
    element.insertBefore(node, drawn.get(next) ?? null)
  }
  const refresh = () => {
    for (const node of drawn.values()) node.remove()
    drawn.clear()
    first = -1
    update()
  }
  follow(element, update)
  return {
    element,
    refresh,
    reset(rows) {
      count = rows
      element.style.height = `${rows * height}px`
      refresh()
    },
    reveal(row) {
      const { top, bottom } = sightOf(pane, head)
      const at = element.getBoundingClientRect().top + row * height
      const over = at < top ? at - top - 2 * height : at + height > bottom ? at + 3 * height - bottom : 0
      if (over !== 0) scrollerOf(pane).scrollTop += over
      update()
    },
    first: () => Math.max(0, first),
  }
}

/**
 * What can be seen, in pixels of the window.
 * @param {HTMLElement} pane
 * @param {HTMLElement} head
 * @returns {{ top: number, bottom: number }}
 */
function sightOf(pane, head) {
  const box = pane.getBoundingClientRect()
  return { top: Math.max(0, box.top) + head.offsetHeight, bottom: Math.min(window.innerHeight, box.bottom) }
}

/**
 * @param {HTMLElement} pane
 * @returns {Element}
 */
function scrollerOf(pane) {
  const { overflowY } = getComputedStyle(pane)
  const scrolls = pane.scrollHeight > pane.clientHeight + 1 && (overflowY === 'auto' || overflowY === 'scroll')
  return scrolls ? pane : (document.scrollingElement ?? pane)
}

/**
 * Calls `update` when something scrolls or changes its size, for as long as the element is on the page.
 * @param {HTMLElement} element
 * @param {() => void} update
 */
function follow(element, update) {
  let asked = false
  const ask = () => {
    if (!element.isConnected) return stop()
    if (asked) return
    asked = true
    requestAnimationFrame(() => {
      asked = false
      if (element.isConnected) update()
    })
  }
  const stop = () => {
    document.removeEventListener('scroll', ask, true)
    window.removeEventListener('resize', ask)
  }
  document.addEventListener('scroll', ask, true)
  window.addEventListener('resize', ask)
  requestAnimationFrame(ask)
}
