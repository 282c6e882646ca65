/** The sequence diagram of a trial: lanes that stay in sight, rows as they are scrolled to, a search. */
import { fill, h } from './dom.js'
import { bandAt, sequenceOf } from './rows.js'
import { drawRow } from './sequence-row.js'
import { searchTrace } from './store.js'
import { createVirtualList } from './virtual-list.js'
import { countText, numberText, wordFor } from './words.js'

/** @import { ActorOutcome } from '@joust/arena' */
/** @import { Sequence } from './rows.js' */
/** @import { Trace } from './store.js' */

/** The height of a row, as the style has it. */
const ROW_HEIGHT = 36

/**
 * @typedef {object} SequenceView
 * @property {HTMLElement} element
 * @property {(place: number | undefined) => void} select shows which message is open, and scrolls to it
 * @property {() => void} focus
 */

/**
 * @param {object} options
 * @param {Trace} options.trace
 * @param {readonly ActorOutcome[]} options.actors
 * @param {string} options.agent the name of the lane in the middle
 * @param {readonly string[]} options.clientModes
 * @param {Map<number, string[]>} options.evidence
 * @param {(place: number) => void} options.onOpen
 * @param {() => boolean} options.isOpen whether a message is open: then moving opens
 * @returns {SequenceView}
 */
export function createSequence({ trace, actors, agent, clientModes, evidence, onOpen, isOpen }) {
  const sequence = sequenceOf(trace.index, actors, agent, clientModes)
  const all = sequence.rows.map((_, number) => number)
  let shown = all
  /** @type {number | undefined} */
  let active
  const pane = h('div', { class: 'sequence-pane' })
  const head = laneHead(sequence)
  const list = createVirtualList({
    pane,
    head: head.element,
    height: ROW_HEIGHT,
    draw: (row) => {
      const node = drawRow({ index: trace.index, sequence, evidence }, shown[row] ?? 0)
      return numbered(node, row, shown.length, active)
    },
    onScroll: (first) => head.show(shown[first] ?? 0),
    attributes: { role: 'listbox', tabindex: '0', 'aria-label': 'Messages in order; arrow keys move, Enter opens' },
  })
  pane.append(head.element, list.element)
  pane.style.setProperty('--lanes', String(sequence.lanes.length))

  const placeAt = (/** @type {number} */ row) => {
    const found = sequence.rows[shown[row] ?? -1]
    return found?.kind === 'message' ? found.place : undefined
  }
  const rowOf = (/** @type {number} */ place) => shown.findIndex((_, row) => placeAt(row) === place)
  const select = (/** @type {number | undefined} */ place) => {
    active = place
    if (place === undefined) list.element.removeAttribute('aria-activedescendant')
    else {
      list.element.setAttribute('aria-activedescendant', `message-${place}`)
      const row = rowOf(place)
      if (row >= 0) list.reveal(row)
    }
    for (const node of list.element.children) markActive(node, active)
  }
  listen(list.element, {
    open: onOpen,
    openActive: () => active !== undefined && onOpen(active),
    move: (by) => {
      const start = active === undefined ? list.first() - 1 : rowOf(active)
      const place = nextMessage(placeAt, shown.length, start, by)
      if (place === undefined) return
      select(place)
      if (isOpen()) onOpen(place)
    },
  })
  const search = searchField(trace, (found) => {
    shown = found === undefined ? all : all.filter((number) => holds(sequence, number, found))
    list.reset(shown.length)
  })
  list.reset(shown.length)
  requestAnimationFrame(list.refresh)
  return {
    element: h('section', { class: 'sequence', 'aria-label': 'Sequence' }, search, pane),
    select,
    focus: () => list.element.focus({ preventScroll: true }),
  }
}

/**
 * Says to assistive technology which of how many a row is.
 * @param {HTMLElement} node
 * @param {number} row
 * @param {number} count
 * @param {number | undefined} active
 * @returns {HTMLElement}
 */
function numbered(node, row, count, active) {
  if (node.dataset.place === undefined) return node
  node.setAttribute('aria-posinset', String(row + 1))
  node.setAttribute('aria-setsize', String(count))
  markActive(node, active)
  return node
}

/**
 * @param {Element} node
 * @param {number | undefined} active
 */
function markActive(node, active) {
  if (!(node instanceof HTMLElement) || node.dataset.place === undefined) return
  node.setAttribute('aria-selected', String(Number(node.dataset.place) === active))
}

/**
 * The message that a step leads to, over rows that are none.
 * @param {(row: number) => number | undefined} placeAt
 * @param {number} count
 * @param {number} start
 * @param {number} by
 * @returns {number | undefined}
 */
function nextMessage(placeAt, count, start, by) {
  const direction = by < 0 ? -1 : 1
  let row = Math.min(count - 1, Math.max(0, start + by))
  while (row >= 0 && row < count && placeAt(row) === undefined) row += direction
  if (row >= 0 && row < count) return placeAt(row)
  row = Math.min(count - 1, Math.max(0, start + by))
  while (row >= 0 && row < count && placeAt(row) === undefined) row -= direction
  return placeAt(row)
}

/**
 * @param {Sequence} sequence
 * @param {number} number
 * @param {Set<number>} found
 * @returns {boolean}
 */
function holds({ rows }, number, found) {
  const row = rows[number]
  return row !== undefined && 'place' in row && found.has(row.place)
}

/**
 * Keys and clicks of the list.
 * @param {HTMLElement} list
 * @param {{ open: (place: number) => void, openActive: () => void, move: (by: number) => void }} act
 */
function listen(list, act) {
  /** @type {Record<string, number>} */
  const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 12, PageUp: -12, Home: -1e9, End: 1e9 }
  list.addEventListener('keydown', (event) => {
    const by = steps[event.key]
    if (event.key === 'Enter' || event.key === ' ') act.openActive()
    else if (by !== undefined && !event.altKey && !event.ctrlKey && !event.metaKey) act.move(by)
    else return
    event.preventDefault()
  })
  list.addEventListener('click', (event) => {
    const row = event.target instanceof Element ? event.target.closest('[data-place]') : null
    if (row instanceof HTMLElement) act.open(Number(row.dataset.place))
  })
}

/**
 * The names of the lanes, with the phase that each actor is in at the first row in sight.
 * @param {Sequence} sequence
 * @returns {{ element: HTMLElement, show: (number: number) => void }}
 */
function laneHead({ lanes, bands }) {
  const phases = lanes.map(() => h('span', { class: 'lane-phase' }))
  const cells = lanes.map(({ name, mode, agent }, place) =>
    h(
      'div',
      { class: agent ? 'lane-name lane-name-agent' : 'lane-name' },
      h('b', { title: name }, name),
      h('span', { class: 'muted' }, agent ? 'agent' : modeText(mode)),
      phases[place],
    ),
  )
  const lanesRow = h('div', { class: 'lanes' }, cells)
  const element = h(
    'div',
    { class: 'lane-head' },
    h('span', { class: 'time' }),
    h('span', { class: 'signs' }),
    lanesRow,
  )
  return {
    element,
    show(number) {
      for (const [place, { name, agent }] of lanes.entries()) {
        const band = agent ? undefined : bandAt(bands.get(name) ?? [], number)
        const cell = phases[place]
        if (cell === undefined) continue
        cell.className = band === undefined ? 'lane-phase' : `lane-phase lane-band-${band.ordinal % 3}`
        fill(cell, band?.phase ?? '')
      }
    },
  }
}

/** @param {string} mode */
function modeText(mode) {
  const found = /^(.*)_(client|server)$/.exec(mode)
  return found === null ? mode : `${wordFor(found[1] ?? '')} ${found[2]}`
}

/**
 * @param {Trace} trace
 * @param {(found: Set<number> | undefined) => void} onFound
 * @returns {HTMLElement}
 */
function searchField(trace, onFound) {
  const count = trace.index.seq.length
  const told = h('span', { class: 'muted', role: 'status' }, countText(count, 'message'))
  const input = h('input', { type: 'search', placeholder: 'Find in messages', 'aria-label': 'Find in messages' })
  input.addEventListener('input', () => {
    const found = input.value === '' ? undefined : searchTrace(trace, input.value)
    fill(told, found === undefined ? countText(count, 'message') : `${numberText(found.size)} of ${numberText(count)}`)
    onFound(found)
  })
  const legend = h(
    'span',
    { class: 'legend' },
    h('i', { class: 'legend-request' }),
    'request',
    h('i', { class: 'legend-response' }),
    'response',
  )
  return h('div', { class: 'sequence-tools' }, h('h2', {}, 'Sequence'), input, told, legend)
}
