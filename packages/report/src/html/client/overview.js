/** The first page: who was attacked, how it went, the matrix and its filters. */
import { drawCoverage } from './coverage.js'
import { h } from './dom.js'
import { filterBar } from './filter-bar.js'
import { emptyFilter, isShown, matrixRows, sortRows } from './filters.js'
import { icon } from './icons.js'
import { drawMatrix } from './matrix.js'
import { countText, durationText, percentText, timeText, wordFor } from './words.js'

/** @import { Proportion } from '@joust/arena' */
/** @import { ReportData, ReportRun } from './data.ts' */
/** @import { Order } from './filters.js' */

/**
 * @typedef {object} Overview
 * @property {HTMLElement} element
 * @property {() => void} focus the cell that was left last, or the first
 */

/**
 * @param {ReportData} report
 * @returns {Overview}
 */
export function createOverview({ runs, coverage, notes }) {
  const rows = matrixRows(runs)
  const filter = emptyFilter()
  /** @type {Order} */
  let order = 'worst'
  let all = false
  const frame = h('div', {})
  const told = h('p', { class: 'shown muted', role: 'status' })
  const draw = () => {
    const shown = sortRows(
      rows.filter((row) => isShown(row, filter)),
      order,
    )
    const total = countText(rows.length, 'attack')
    told.textContent = shown.length === rows.length ? total : `${shown.length} of ${total}`
    const onOrder = (/** @type {Order} */ wanted) => {
      order = wanted
      draw()
    }
    const onAll = () => {
      all = true
      draw()
    }
    frame.replaceChildren(drawMatrix({ runs, rows: shown, order, all, onOrder, onAll }))
  }
  draw()
  /** @type {string | null | undefined} */
  let left
  frame.addEventListener('focusin', (event) => {
    if (event.target instanceof HTMLAnchorElement) left = event.target.getAttribute('href')
  })
  const element = h(
    'div',
    { class: 'overview' },
    h('h1', { class: 'visually-hidden' }, 'Results'),
    runs.map(runHead),
    notes.map((note) => h('p', { class: 'note' }, icon('warning'), note)),
    filterBar(rows, filter, draw),
    told,
    frame,
    drawCoverage(coverage),
  )
  return {
    element,
    focus() {
      const links = [...frame.querySelectorAll('a')]
      const link = links.find((found) => found.getAttribute('href') === left) ?? links[0]
      link?.focus()
    },
  }
}

/**
 * @param {ReportRun} run
 * @returns {HTMLElement}
 */
function runHead({ target, results, suite: figures }) {
  const { started_at, finished_at, suite, stopped, joust } = results
  const took = Date.parse(finished_at) - Date.parse(started_at)
  const judge = target.judge
  /** @type {[string, string | undefined][]} */
  const pairs = [
    ['kind', wordFor(target.kind)],
    ...Object.entries(target.details ?? {}),
    ['judge', judge === undefined ? undefined : [judge.engine, judge.model, judge.version].filter(Boolean).join(' ')],
    ['started', timeText(started_at)],
    ['took', Number.isFinite(took) ? durationText(took) : undefined],
    ['trials', suite.trials > 1 ? String(suite.trials) : undefined],
    ['got through', figures.attacks === undefined ? undefined : shareText(figures.attacks)],
    ['flaky', figures.flaky > 0 ? String(figures.flaky) : undefined],
    ['inconclusive', figures.inconclusive > 0 ? countText(figures.inconclusive, 'trial') : undefined],
    ['not applicable', figures.not_applicable > 0 ? countText(figures.not_applicable, 'trial') : undefined],
    ['task done', figures.utility === undefined ? undefined : shareText(figures.utility)],
    ['joust', joust],
  ]
  return h(
    'section',
    { class: 'run-head' },
    h('h2', {}, h('bdi', {}, target.name)),
    h(
      'dl',
      { class: 'facts facts-row' },
      pairs.map(([name, text]) => text !== undefined && h('div', {}, h('dt', {}, name), h('dd', {}, text))),
    ),
    stopped !== undefined &&
      h(
        'p',
        { class: 'note note-error' },
        icon('warning'),
        `Not everything was run (${stopped.reason}): ${stopped.message}`,
      ),
  )
}

/** @param {Proportion} proportion */
function shareText({ hits, of, low, high }) {
  return `${hits} of ${of} (${percentText(low)} to ${percentText(high)})`
}
