/** The indicators of a trial: what each looked for, what its filter left, and why it matched or did not. */
import { h } from './dom.js'
import { evidenceText } from './evidence.js'
import { resultBadge } from './icons.js'
import { filterSteps, resolutions } from './why.js'
import { countText, numberText, wordFor } from './words.js'

/** @import { ResultIndicator, ResultIndicatorVerdict } from '@joust/arena' */
/** @import { Trace } from './store.js' */

/** Values of a path that are shown for one message, and the longest of them. */
const VALUES = 4
const VALUE_LENGTH = 160

/**
 * @param {object} options
 * @param {readonly ResultIndicator[]} options.indicators
 * @param {readonly ResultIndicatorVerdict[]} options.verdicts
 * @param {Trace} options.trace
 * @param {(seq: number) => void} options.onOpen
 * @param {string} [options.kind] what they are indicators of
 * @param {(result: string) => HTMLElement} [options.badge]
 * @returns {HTMLElement[]}
 */
export function indicatorList({ indicators, verdicts, trace, onOpen, kind = 'indicator', badge = resultBadge }) {
  return verdicts.map((verdict) => {
    const indicator = indicators.find(({ id }) => id === verdict.indicator_id)
    return h(
      'article',
      { class: `indicator ${kind}-${verdict.result}` },
      h('header', {}, badge(verdict.result), h('code', { class: 'id' }, verdict.indicator_id)),
      indicator?.description !== undefined && h('p', { class: 'description' }, indicator.description),
      indicator !== undefined && lookedFor(indicator),
      funnel(indicator, verdict),
      evidenceText(verdict),
      verdict.entry !== undefined && openButton(verdict.entry.seq, onOpen),
      indicator !== undefined && verdict.result !== 'skipped' && resolved(indicator, trace, onOpen),
    )
  })
}

/** @param {ResultIndicator} indicator */
function lookedFor({ method, target, tier, line }) {
  return h(
    'p',
    { class: 'looked-for' },
    wordFor(method),
    ' on ',
    h('code', { class: 'path' }, target === '' ? 'whole message' : target),
    tier !== undefined && [' · ', wordFor(tier)],
    line !== undefined && [' · line ', line],
  )
}

/**
 * @param {ResultIndicator | undefined} indicator
 * @param {ResultIndicatorVerdict} verdict
 * @returns {HTMLElement | false}
 */
function funnel(indicator, verdict) {
  const steps = filterSteps(indicator, verdict)
  if (steps.length === 0) return false
  const items = steps.map(({ name, wanted, left }) =>
    h(
      'li',
      { class: left === 0 ? 'step step-empty' : 'step' },
      h('span', { class: 'step-name' }, wanted === undefined ? name : [name, ' ', h('code', {}, wanted)]),
      h('b', {}, numberText(left)),
    ),
  )
  const title = 'How many messages were left after each step of the filter'
  return h('ol', { class: 'funnel', 'aria-label': title, title }, items)
}

/**
 * @param {number} seq
 * @param {(seq: number) => void} onOpen
 * @returns {HTMLElement}
 */
function openButton(seq, onOpen) {
  return h('button', { type: 'button', class: 'open-message', onclick: () => onOpen(seq) }, `Show message #${seq}`)
}

/**
 * What the path led to, worked out when it is asked for.
 * @param {ResultIndicator} indicator
 * @param {Trace} trace
 * @param {(seq: number) => void} onOpen
 * @returns {HTMLElement}
 */
function resolved(indicator, trace, onOpen) {
  const details = h('details', {}, h('summary', {}, 'What the path led to'))
  const draw = () => {
    const { looked, more } = resolutions(indicator, trace)
    const rows = looked.map(({ place, found }) => {
      const seq = trace.index.seq[place] ?? 0
      const values = found
        .slice(0, VALUES)
        .map(({ path, value }) =>
          h(
            'div',
            {},
            h('code', { class: 'path' }, path === '' ? 'message' : path),
            ' ',
            h('bdi', { class: 'quote' }, valueText(value)),
          ),
        )
      const rest =
        found.length > VALUES && h('div', { class: 'muted' }, `and ${countText(found.length - VALUES, 'more value')}`)
      return h(
        'li',
        {},
        h('button', { type: 'button', class: 'plain number', onclick: () => onOpen(seq) }, `#${seq}`),
        h('div', {}, found.length === 0 ? h('span', { class: 'muted' }, 'nothing there') : [values, rest]),
      )
    })
    const none = looked.length === 0 && h('p', { class: 'muted' }, 'The filter left no message.')
    const note = more > 0 && h('p', { class: 'muted' }, `and ${countText(more, 'more message')}, not looked into here`)
    details.append(...[none, h('ol', { class: 'resolved' }, rows), note].filter((node) => node instanceof Node))
  }
  details.addEventListener('toggle', draw, { once: true })
  return details
}

/** @param {unknown} value */
function valueText(value) {
  const plain = (/** @type {unknown} */ part) => (typeof part === 'bigint' ? String(part) : part)
  const text = typeof value === 'object' ? JSON.stringify(value, (_, part) => plain(part)) : String(value)
  return text.length > VALUE_LENGTH ? `${text.slice(0, VALUE_LENGTH)}…` : text
}
