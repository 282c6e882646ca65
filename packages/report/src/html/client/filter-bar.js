/** The filters above the matrix. */
import { h } from './dom.js'
import { icon, severityBadge } from './icons.js'
import { OUTCOME_ORDER, SEVERITY_ORDER, TIER_ORDER, tierOf, wordFor } from './words.js'

/** @import { Filter, Row } from './filters.js' */

/**
 * @param {readonly Row[]} rows
 * @param {Filter} filter
 * @param {() => void} onChange
 * @returns {HTMLElement}
 */
export function filterBar(rows, filter, onChange) {
  const search = h('input', {
    type: 'search',
    id: 'search',
    placeholder: 'Search attacks',
    'aria-label': 'Search attacks',
    'aria-keyshortcuts': '/',
    value: filter.text,
  })
  search.addEventListener('input', () => {
    filter.text = search.value
    onChange()
  })
  const all = rows.flatMap(({ cells }) => cells.flatMap((cell) => (cell === undefined ? [] : [cell.attack])))
  const attacks = rows.map(({ first }) => first.attack)
  const outcomes = countsOf(all.map(({ outcome }) => outcome))
  const severities = countsOf(attacks.map(({ severity }) => severity ?? 'none'))
  const categories = countsOf(attacks.map(({ category }) => category ?? 'none'))
  const protocols = countsOf(attacks.flatMap((attack) => attack.protocols))
  const tiers = countsOf(all.map((results) => tierOf(results) ?? 'none'))
  const drawOutcome = (/** @type {string} */ value) => [icon(value), wordFor(value)]
  return h(
    'div',
    { class: 'filters', role: 'search', 'aria-label': 'Filters' },
    h(
      'div',
      {},
      search,
      choice('Category', [...categories.keys()].sort(), categories, filter, 'category', onChange),
      choice('Protocol', [...protocols.keys()].sort(), protocols, filter, 'protocol', onChange),
      choice('Tier', [...TIER_ORDER, 'none'], tiers, filter, 'tier', onChange),
    ),
    h(
      'div',
      {},
      toggles('Outcome', OUTCOME_ORDER, outcomes, filter.outcomes, onChange, drawOutcome),
      toggles('Severity', SEVERITY_ORDER, severities, filter.severities, onChange, severityBadge),
    ),
  )
}

/**
 * Buttons that can be pressed together; those that would show nothing are not there.
 * @param {string} name
 * @param {readonly string[]} order
 * @param {ReadonlyMap<string, number>} counts
 * @param {Set<string>} chosen
 * @param {() => void} onChange
 * @param {(value: string) => import('./dom.js').Child} draw
 * @returns {HTMLElement | false}
 */
function toggles(name, order, counts, chosen, onChange, draw) {
  const values = order.filter((value) => counts.has(value))
  if (values.length === 0) return false
  const buttons = values.map((value) => {
    const button = h(
      'button',
      {
        type: 'button',
        class: `toggle toggle-${value}`,
        'aria-pressed': String(chosen.has(value)),
        'data-value': value,
      },
      draw(value),
      h('span', { class: 'count' }, counts.get(value)),
    )
    button.addEventListener('click', () => {
      if (!chosen.delete(value)) chosen.add(value)
      button.setAttribute('aria-pressed', String(chosen.has(value)))
      onChange()
    })
    return button
  })
  return h('div', { class: 'toggles', role: 'group', 'aria-label': name }, buttons)
}

/**
 * A list of which one is chosen; not there when there is nothing to choose.
 * @param {string} name
 * @param {readonly string[]} order
 * @param {ReadonlyMap<string, number>} counts
 * @param {Filter} filter
 * @param {'category' | 'protocol' | 'tier'} field
 * @param {() => void} onChange
 * @returns {HTMLElement | false}
 */
function choice(name, order, counts, filter, field, onChange) {
  if (counts.size < 2) return false
  const options = order
    .filter((value) => counts.has(value))
    .map((value) => h('option', { value }, `${wordFor(value)} (${counts.get(value)})`))
  const select = h(
    'select',
    { 'aria-label': name, 'data-field': field },
    h('option', { value: '' }, `Any ${name.toLowerCase()}`),
    options,
  )
  select.addEventListener('change', () => {
    filter[field] = select.value
    onChange()
  })
  return select
}

/**
 * @param {readonly string[]} values
 * @returns {Map<string, number>}
 */
function countsOf(values) {
  /** @type {Map<string, number>} */
  const counts = new Map()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}
