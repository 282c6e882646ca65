/** Coverage: techniques of frameworks by protocols, with what came of them. */
import { h } from './dom.js'
import { icon } from './icons.js'
import { countText, OUTCOME_ORDER, wordFor } from './words.js'

/** @import { Counts, Coverage } from '@joust/arena' */

/**
 * @param {Coverage} coverage
 * @returns {HTMLElement | false}
 */
export function drawCoverage({ techniques, protocols, unmapped }) {
  if (techniques.length === 0) return false
  const rows = techniques.map(({ framework, id, name, protocols: cells }) =>
    h(
      'tr',
      {},
      h(
        'th',
        { scope: 'row' },
        h('span', { class: 'muted' }, framework),
        ' ',
        h('bdi', {}, id),
        name !== undefined && h('span', { class: 'muted' }, ' ', name),
      ),
      protocols.map((protocol) => h('td', {}, countsText(cells.find((cell) => cell.protocol === protocol)?.attacks))),
    ),
  )
  const head = h(
    'tr',
    {},
    h('th', { scope: 'col' }, 'Technique'),
    protocols.map((protocol) => h('th', { scope: 'col' }, wordFor(protocol))),
  )
  const without =
    unmapped.length > 0 &&
    h('p', { class: 'muted' }, `${countText(new Set(unmapped).size, 'attack')} without a technique`)
  const title = `Coverage: ${countText(techniques.length, 'technique')} by ${countText(protocols.length, 'protocol')}`
  const table = h('table', {}, h('thead', {}, head), h('tbody', {}, rows))
  return h('details', { class: 'coverage' }, h('summary', {}, title), table, without)
}

/**
 * @param {Counts | undefined} counts
 * @returns {import('./dom.js').Child}
 */
function countsText(counts) {
  if (counts === undefined) return h('span', { class: 'muted' }, '–')
  return OUTCOME_ORDER.map((result) => {
    const count = Object.hasOwn(counts, result) ? Reflect.get(counts, result) : 0
    if (count === 0) return false
    const words = h('span', {}, count, h('span', { class: 'visually-hidden' }, ` ${wordFor(result)}`))
    return h('span', { class: `result result-${result}`, title: wordFor(result) }, icon(result), words)
  })
}
