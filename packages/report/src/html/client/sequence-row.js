/** One row of the sequence diagram. */
import { h } from './dom.js'
import { FLAG_MALFORMED, FLAG_OUT, FLAG_RESPONSE } from './flags.js'
import { icon } from './icons.js'
import { bandAt } from './rows.js'
import { countText, durationText } from './words.js'

/** @import { TraceIndex } from './data.ts' */
/** @import { Sequence, SequenceRow } from './rows.js' */

/**
 * What rows are drawn from.
 * @typedef {object} Drawing
 * @property {TraceIndex} index
 * @property {Sequence} sequence
 * @property {Map<number, string[]>} evidence the indicators that a message decided, by its place
 */

/**
 * Draws a row: time, signs, lanes, and an arrow or a change of phase between them.
 * @param {Drawing} drawing
 * @param {number} number its place among all rows
 * @returns {HTMLElement}
 */
export function drawRow(drawing, number) {
  const row = drawing.sequence.rows[number]
  if (row === undefined) return h('div')
  const lanes = laneCells(drawing.sequence, number)
  if (row.kind === 'gap') {
    const text = `${countText(row.count, 'message')} left out of this report`
    return h('div', { class: 'row row-gap', role: 'presentation' }, h('span', { class: 'gap-text' }, text))
  }
  if (row.kind === 'broken') {
    const text = `A line of the trace could not be read: ${drawing.index.malformed[row.place] ?? ''}`
    return h(
      'div',
      { class: 'row row-gap', role: 'presentation' },
      icon('warning'),
      h('span', { class: 'gap-text' }, text),
    )
  }
  if (row.kind === 'phase') return phaseRow(drawing, row, lanes)
  return messageRow(drawing, row.place, lanes)
}

/**
 * @param {Drawing} drawing
 * @param {Extract<SequenceRow, { kind: 'phase' }>} row
 * @param {HTMLElement[]} lanes
 * @returns {HTMLElement}
 */
function phaseRow({ sequence, index }, row, lanes) {
  const lane = sequence.lanes.findIndex(({ name, agent }) => !agent && name === row.actor)
  const why =
    row.reason === 'timeout' ? 'time' : row.trigger === undefined ? 'trigger' : `trigger, #${index.seq[row.trigger]}`
  const mark = h(
    'span',
    {
      class: lane === sequence.lanes.length - 1 ? 'phase-change phase-change-last' : 'phase-change',
      title: `${row.actor} enters the phase ${row.phase}`,
    },
    icon('trigger'),
    h('b', {}, row.phase),
    h('span', { class: 'muted' }, why),
  )
  place(mark, sequence.lanes.length, lane, lane)
  return h(
    'div',
    { class: 'row row-phase', role: 'presentation' },
    h('span', { class: 'time' }, durationText(row.elapsed)),
    h('span', { class: 'signs' }),
    h('div', { class: 'lanes' }, lanes, mark),
  )
}

/**
 * @param {Drawing} drawing
 * @param {number} at
 * @param {HTMLElement[]} lanes
 * @returns {HTMLElement}
 */
function messageRow({ index, sequence, evidence }, at, lanes) {
  const flags = index.flags[at] ?? 0
  const actor = index.actors[index.actor[at] ?? -1]?.name ?? ''
  const actorLane = sequence.lanes.findIndex(({ name, agent }) => !agent && name === actor)
  const agentLane = sequence.lanes.findIndex(({ agent }) => agent)
  const out = (flags & FLAG_OUT) !== 0
  const [from, to] = out ? [actorLane, agentLane] : [agentLane, actorLane]
  const kind = (flags & FLAG_RESPONSE) === 0 ? 'request' : 'response'
  const decided = evidence.get(at) ?? []
  const leads = sequence.triggers.get(at)
  const malformed = (flags & FLAG_MALFORMED) !== 0
  const surface = index.strings[index.surface[at] ?? -1] ?? ''
  const label = index.strings[index.label[at] ?? -1] ?? ''
  const arrow = h(
    'span',
    { class: `arrow arrow-${kind} ${from < to ? 'arrow-right' : 'arrow-left'}` },
    h('span', { class: 'arrow-text' }, h('b', {}, surface === '' ? 'unreadable' : surface), ' ', label),
    h('i', { class: 'arrow-line' }),
  )
  place(arrow, sequence.lanes.length, from, to)
  const signs = [
    decided.length > 0 && signed('evidence', `decides ${decided.join(', ')}`),
    malformed && signed('warning', 'could not be read'),
    leads !== undefined && signed('trigger', `the last message before the phase ${leads}`),
  ]
  const sides = [sequence.lanes[from]?.name, sequence.lanes[to]?.name].join(' to ')
  const said = [
    `${index.seq[at]}: ${sides}, ${surface} ${kind} ${label}`,
    decided.length > 0 && `evidence for ${decided.join(', ')}`,
    leads !== undefined && `before the phase ${leads}`,
    malformed && 'could not be read',
  ]
  const classes = ['row row-message', decided.length > 0 && 'row-evidence', malformed && 'row-malformed']
  return h(
    'div',
    {
      class: classes.filter(Boolean).join(' '),
      role: 'option',
      id: `message-${at}`,
      'aria-label': said.filter(Boolean).join('; '),
      'data-place': at,
    },
    h('span', { class: 'time' }, h('span', { class: 'number' }, index.seq[at]), durationText(index.elapsed[at] ?? 0)),
    h('span', { class: 'signs' }, signs),
    h('div', { class: 'lanes' }, lanes, arrow),
  )
}

/**
 * @param {string} name
 * @param {string} title
 * @returns {HTMLElement}
 */
function signed(name, title) {
  return h('span', { title, class: `sign sign-${name}` }, icon(name))
}

/**
 * A cell per lane, tinted by the phase that its actor is in.
 * @param {Sequence} sequence
 * @param {number} number
 * @returns {HTMLElement[]}
 */
function laneCells({ lanes, bands }, number) {
  return lanes.map(({ name, agent }) => {
    const band = agent ? undefined : bandAt(bands.get(name) ?? [], number)
    const tint = agent ? 'lane-agent' : `lane-band lane-band-${(band?.ordinal ?? 0) % 3}`
    const begins = band?.from === number && band.ordinal > 0 ? ' lane-begins' : ''
    return h('span', { class: `lane ${tint}${begins}` })
  })
}

/**
 * Puts something between the middles of two lanes.
 * @param {HTMLElement} element
 * @param {number} lanes
 * @param {number} from
 * @param {number} to
 */
function place(element, lanes, from, to) {
  element.style.left = `${((Math.min(from, to) + 0.5) / lanes) * 100}%`
  element.style.width = from === to ? '' : `${(Math.abs(to - from) / lanes) * 100}%`
}
