/** Attacks by targets: a table that is moved in with the arrow keys. */
import { h } from './dom.js'
import { moveInGrid } from './grid-keys.js'
import { resultBadge, severityBadge } from './icons.js'
import { attackLink } from './router.js'
import { rateText, trialStrip } from './statistics.js'
import { tierOf, wordFor } from './words.js'

/** @import { ReportRun } from './data.ts' */
/** @import { Cell, Order, Row } from './filters.js' */

/** Rows that are drawn before the reader asks for all. */
const FIRST_ROWS = 400

/** @type {readonly [Order, string][]} */
const COLUMNS = [
  ['name', 'Attack'],
  ['severity', 'Severity'],
  ['category', 'Category'],
]

/**
 * @param {object} options
 * @param {readonly ReportRun[]} options.runs
 * @param {readonly Row[]} options.rows
 * @param {Order} options.order
 * @param {boolean} options.all whether every row is drawn, however many there are
 * @param {(order: Order) => void} options.onOrder
 * @param {() => void} options.onAll
 * @returns {HTMLElement}
 */
export function drawMatrix({ runs, rows, order, all, onOrder, onAll }) {
  const drawn = all ? rows : rows.slice(0, FIRST_ROWS)
  const table = h(
    'table',
    {
      class: runs.length > 1 ? 'matrix several-targets' : 'matrix one-target',
      role: 'grid',
      'aria-label': 'Outcomes: attacks by targets',
      'aria-rowcount': rows.length + 1,
    },
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        COLUMNS.map(([key, name]) => sortHead(key, name, order, onOrder)),
        h('th', { scope: 'col', class: 'protocols' }, 'Protocol'),
        runs.map((run) => targetHead(run, order, onOrder)),
      ),
    ),
    h(
      'tbody',
      {},
      drawn.map((row) => bodyRow(runs, row)),
    ),
  )
  moveInGrid(table)
  const more =
    rows.length > drawn.length && h('button', { type: 'button', onclick: onAll }, `Show all ${rows.length} attacks`)
  return h('div', { class: 'matrix-frame' }, table, more)
}

/**
 * @param {Order} key
 * @param {string} name
 * @param {Order} order
 * @param {(order: Order) => void} onOrder
 * @returns {HTMLElement}
 */
function sortHead(key, name, order, onOrder) {
  const sorted = key === order
  const button = h(
    'button',
    { type: 'button', class: 'plain', onclick: () => onOrder(key) },
    name,
    h('span', { class: 'sorted', 'aria-hidden': 'true' }, sorted ? '▾' : ''),
  )
  return h('th', { scope: 'col', class: `col-${key}`, 'aria-sort': sorted ? 'ascending' : undefined }, button)
}

/**
 * @param {ReportRun} run
 * @param {Order} order
 * @param {(order: Order) => void} onOrder
 * @returns {HTMLElement}
 */
function targetHead({ target }, order, onOrder) {
  const sorted = order === 'worst'
  const name = h(
    'button',
    { type: 'button', class: 'plain', title: 'Worst first', onclick: () => onOrder('worst') },
    h('bdi', {}, target.name),
    h('span', { class: 'sorted', 'aria-hidden': 'true' }, sorted ? '▾' : ''),
  )
  return h('th', { scope: 'col', class: 'col-target', 'aria-sort': sorted ? 'descending' : undefined }, name)
}

/**
 * @param {readonly ReportRun[]} runs
 * @param {Row} row
 * @returns {HTMLElement}
 */
function bodyRow(runs, { first: { attack, file }, cells }) {
  const cell = cells.find((found) => found !== undefined)
  const link = cell === undefined ? '#/' : attackLink({ run: cell.run, attack: cell.place, trial: worstTrial(cell) })
  return h(
    'tr',
    {},
    h(
      'th',
      { scope: 'row', class: 'col-name' },
      h('a', { href: link, class: 'attack-name' }, h('bdi', {}, attack.name)),
      h('span', { class: 'attack-id' }, attack.id ?? file),
    ),
    h('td', { class: 'col-severity' }, severityBadge(attack.severity)),
    h(
      'td',
      { class: 'col-category' },
      attack.category === undefined ? h('span', { class: 'muted' }, '–') : wordFor(attack.category),
    ),
    h('td', { class: 'protocols' }, attack.protocols.map(wordFor).join(', ')),
    cells.map((found, run) =>
      h(
        'td',
        { class: 'col-target' },
        found === undefined ? h('span', { class: 'muted' }, 'not run') : outcomeLink(found, runs[run]),
      ),
    ),
  )
}

/**
 * @param {Cell} cell
 * @param {ReportRun | undefined} run
 * @returns {HTMLElement}
 */
function outcomeLink(cell, run) {
  const { attack, place } = cell
  const tier = tierOf(attack)
  const rate = rateText(run?.statistics[place])
  return h(
    'a',
    { href: attackLink({ run: cell.run, attack: place, trial: worstTrial(cell) }), class: 'verdict' },
    h(
      'span',
      { class: 'verdict-head' },
      resultBadge(attack.outcome),
      tier !== undefined && h('span', { class: 'tier' }, wordFor(tier)),
    ),
    h('span', { class: 'verdict-more' }, rate !== '' && h('span', { class: 'number' }, rate), trialStrip(attack)),
  )
}

/**
 * The trial that a link leads to: the first that is as bad as the attack.
 * @param {Cell} cell
 * @returns {number}
 */
function worstTrial({ attack }) {
  return Math.max(
    0,
    attack.trials.findIndex((trial) => trial.outcome === attack.outcome && tierOf(trial) === tierOf(attack)),
  )
}
